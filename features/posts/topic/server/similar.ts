import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import { linkColumns, linkView } from '#topic/server/topic-link.ts'
import { titleWords } from '#post/server/post.ts'
import * as posts from '#post/server/post.ts'

const maxShown = 15
const maxWhileTyping = 5
const newestPerWord = 200
const candidateCount = 60

type SimilarTopic = { topic_id: string; likeness: number }

/**
 * Topics whose titles share words with this one's, or bigrams in Chinese; rare words weigh more. Each word contributes only its
 * newest two hundred topics, which bounds the cost.
 */
export async function list(db: Db, viewer: Viewer, topicId: string): Promise<TopicLinkView[]> {
  const topic = await posts.cachedThread(db, viewer, topicId)
  return mostSimilar(db, viewer, titleWords(topic.title), { excludedId: topicId, limit: maxShown })
}

/** The same for a title while it is typed. */
export async function forTitle(db: Db, viewer: Viewer, title: string): Promise<TopicLinkView[]> {
  return mostSimilar(db, viewer, titleWords(title), { excludedId: null, limit: maxWhileTyping })
}

type SimilarityOptions = { excludedId: string | null; limit: number }

async function mostSimilar(
  db: Db,
  viewer: Viewer,
  words: readonly string[],
  { excludedId, limit }: SimilarityOptions,
): Promise<TopicLinkView[]> {
  if (words.length === 0) return []
  const rows = await db
    .with('alike', (query) => query.selectFrom(sql<SimilarTopic>`(${alike(words, excludedId)})`.as('matched')).selectAll())
    .selectFrom('alike')
    .innerJoin('topic', 'topic.id', 'alike.topic_id')
    .select(linkColumns)
    .where('status', '=', 'published')
    .where(tag.seenBy(viewer))
    .orderBy('likeness', 'desc')
    .orderBy('topic.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(linkView)
}

/** The threads whose titles share these words, except for one. */
export function alike(words: readonly string[], topicId: string | null) {
  const needed = Math.min(2, words.length)
  return sql<SimilarTopic>`
    select topic_id, sum(1 / (1 + ln(matches))) as likeness
    from (
      select newest.topic_id, count(*) over (partition by asked.word) as matches
      from unnest(${words}::text[]) as asked(word),
        lateral (
          select topic_id from topic_word where topic_word.word = asked.word order by topic_id desc limit ${newestPerWord}
        ) as newest
    ) as found
    where topic_id is distinct from ${topicId}
    group by topic_id
    having count(*) >= ${needed}
    order by likeness desc, topic_id desc
    limit ${candidateCount}`
}
