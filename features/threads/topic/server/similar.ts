import { sql } from 'kysely'
import { primary, type Db } from '#base/server/database/database.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import { linkColumns, linkView } from '#topic/server/topic-link.ts'
import * as posts from '#post/server/post.ts'

const maxShown = 15
const maxWhileTyping = 5
const newestPerWord = 200
const candidateCount = 60

type SimilarTopic = { topic_id: string; likeness: number }

// Counting shared words is most of the work of a page, and a list that is an hour old is as good.
const candidatesOf = rowCache<readonly string[]>({ most: 5_000, freshMs: 3_600_000 })

/**
 * Topics whose titles share words with this one's, or bigrams in Chinese; rare words weigh more. Each word contributes only its
 * newest two hundred topics, which bounds the cost. A new topic appears within an hour; whatever goes, or may not be seen, is gone at once.
 */
export async function list(db: Db, viewer: Viewer, topicId: string): Promise<TopicLinkView[]> {
  const { title } = await posts.cachedThread(db, viewer, topicId)
  const key = `${topicId} ${title}`
  const found = await candidatesOf(db).getOrLoad([key], {
    // A list that lasts an hour must not show the lag of a replica.
    load: async () => new Map([[key, await candidates(primary(db), title, topicId)]]),
    tagsOf: () => ['titles'],
  })
  return visibleAmong(db, viewer, found.get(key) ?? [], maxShown)
}

/** The same for a title while it is typed. */
export async function forTitle(db: Db, viewer: Viewer, title: string): Promise<TopicLinkView[]> {
  return visibleAmong(db, viewer, await candidates(db, title, null), maxWhileTyping)
}

/** The ids of the nearest topics, whoever may see them. */
async function candidates(db: Db, title: string, topicId: string | null): Promise<string[]> {
  const words = posts.titleWords(title)
  if (words.length === 0) return []
  const { rows } = await alike(words, topicId).execute(db)
  return rows.map(({ topic_id }) => topic_id)
}

async function visibleAmong(db: Db, viewer: Viewer, ids: readonly string[], limit: number): Promise<TopicLinkView[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom(sql<{ id: string; place: string }>`unnest(${ids}::bigint[]) with ordinality`.as<'candidate'>(sql`candidate (id, place)`))
    .innerJoin('topic', 'topic.id', 'candidate.id')
    .select(linkColumns)
    .where('status', '=', 'published')
    .where(tag.seenBy(viewer))
    .orderBy('candidate.place')
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
