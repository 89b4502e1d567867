import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { PostView, PersonalNotice } from '#notification/contract.ts'
import { publishCounts } from '#notification/server/notify.ts'

export type { PostView, PersonalNotice } from '#notification/contract.ts'
export {
  noteMessage,
  setPostsHidden,
  postsTransferred,
  updateForMovedPosts,
  notifyOfEvent,
  notifyOfEvents,
  notifyOfPost,
  retract,
} from '#notification/server/notify.ts'

/** Notifies members of a decision, in its transaction. Only facts are stored: they are worded when they are read. */
export async function notify(tx: Db, members: string | readonly string[], { kind, ...facts }: PersonalNotice): Promise<void> {
  const ids = [...new Set(typeof members === 'string' ? [members] : members)]
  if (ids.length === 0) return
  const topicId = 'post' in facts ? facts.post.topicId : null
  const row = { kind, facts: JSON.stringify(facts), topic_id: topicId }
  await tx
    .insertInto('notice')
    .values(ids.map((member_id) => ({ ...row, member_id })))
    .execute()
  publishCounts(tx, ids)
}

type SingleFact = Exclude<PersonalNotice, { post: PostView } | { count: number }>

/** Sends a notification of their own to each of these members. */
export async function notifyEach(tx: Db, notices: readonly { memberId: string; says: SingleFact }[]): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map(({ memberId: member_id, says: { kind, ...facts } }) => ({ member_id, kind, facts: JSON.stringify(facts) }))
  await tx.insertInto('notice').values(rows).execute()
  publishCounts(
    tx,
    notices.map(({ memberId }) => memberId),
  )
}

type BatchFact = Extract<PersonalNotice, { count: number }>

/** Notifies a member of all their posts in one batch. */
export async function notifyOfBatch(tx: Db, memberId: string, batchId: string, { kind, ...facts }: BatchFact): Promise<void> {
  await tx
    .insertInto('notice')
    .values({ member_id: memberId, kind, facts: JSON.stringify({ ...facts, batchId }) })
    .execute()
  publishCounts(tx, [memberId])
}

/** Adds to the count of a batch's notification; false where there is none. */
export async function addToBatch(
  tx: Db,
  memberId: string,
  batchId: string,
  { kind, thread, count }: Pick<BatchFact, 'kind' | 'thread' | 'count'>,
): Promise<boolean> {
  const counted = await tx
    .updateTable('notice')
    .set({ facts: sql`jsonb_set(facts, '{count}', to_jsonb((facts ->> 'count')::int + ${count}::int))` })
    .where('member_id', '=', memberId)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`facts ->> 'batchId' = ${batchId} and facts ->> 'thread' = ${thread}`)
    .returning('id')
    .execute()
  return counted.length > 0
}

/** Deletes the stored text of an erased post, and the notifications of it; without a post, of everything under the topic. */
export async function purge(tx: Db, topicId: string, post?: Pick<PostView, 'kind' | 'id'>): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ facts: sql`jsonb_set(jsonb_set(facts, '{post,title}', '""'), '{post,excerpt}', '""')` })
    .where('topic_id', '=', topicId)
    .$if(post !== undefined, (query) =>
      query.where(sql<boolean>`facts -> 'post' ->> 'kind' = ${post?.kind} and facts -> 'post' ->> 'id' = ${post?.id}`),
    )
    .execute()
  if (post) await sql`delete from notification_event where post_kind = ${post.kind} and post_id = ${post.id}`.execute(tx)
  else await tx.deleteFrom('notification').where('topic_id', '=', topicId).execute()
}
