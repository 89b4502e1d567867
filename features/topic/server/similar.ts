import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import { linkColumns, linkView } from '#topic/server/link.ts'
import { titleWords } from '#post/server/post.ts'
import * as posts from '#post/server/post.ts'

const shown = 15
const shownWhileTyping = 5
const newestOfWord = 200
const candidates = 60

type Alike = { topic_id: string; likeness: number }

/**
 * Topics whose titles share words with this one's, or bigrams in Chinese; rare words weigh more. Each word contributes only its
 * newest two hundred topics, which bounds the cost.
 */
export async function list(db: Db, viewer: Viewer, topicId: string): Promise<TopicLinkView[]> {
  const topic = await posts.knownThread(db, viewer, topicId)
  return likest(db, viewer, titleWords(topic.title), { but: topicId, most: shown })
}

/** The same for a title while it is typed. */
export async function toTitle(db: Db, viewer: Viewer, title: string): Promise<TopicLinkView[]> {
  return likest(db, viewer, titleWords(title), { but: null, most: shownWhileTyping })
}

type Which = { but: string | null; most: number }

async function likest(db: Db, viewer: Viewer, words: readonly string[], { but, most }: Which): Promise<TopicLinkView[]> {
  if (words.length === 0) return []
  const rows = await db
    .with('alike', (query) => query.selectFrom(sql<Alike>`(${alike(words, but)})`.as('matched')).selectAll())
    .selectFrom('alike')
    .innerJoin('topic', 'topic.id', 'alike.topic_id')
    .select(linkColumns)
    .where('status', '=', 'published')
    .where(tag.seenBy(viewer))
    .orderBy('likeness', 'desc')
    .orderBy('topic.id', 'desc')
    .limit(most)
    .execute()
  return rows.map(linkView)
}

/** The threads whose titles share these words, except for one. */
export function alike(words: readonly string[], topicId: string | null) {
  const needed = Math.min(2, words.length)
  return sql<Alike>`
    select topic_id, sum(1 / (1 + ln(matches))) as likeness
    from (
      select newest.topic_id, count(*) over (partition by asked.word) as matches
      from unnest(${words}::text[]) as asked(word),
        lateral (
          select topic_id from topic_word where topic_word.word = asked.word order by topic_id desc limit ${newestOfWord}
        ) as newest
    ) as found
    where topic_id is distinct from ${topicId}
    group by topic_id
    having count(*) >= ${needed}
    order by likeness desc, topic_id desc
    limit ${candidates}`
}
