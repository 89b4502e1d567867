import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { PostView, Told } from '#notice/contract.ts'

export type { PostView, Told } from '#notice/contract.ts'

/** Tells members what became of theirs, in the transaction in which it becomes so. Facts alone are kept: they are worded when they are read. */
export async function tell(tx: Db, members: string | readonly string[], { kind, ...facts }: Told): Promise<void> {
  const ids = [...new Set(typeof members === 'string' ? [members] : members)]
  if (ids.length === 0) return
  const topicId = 'post' in facts ? facts.post.topicId : null
  const row = { kind, facts: JSON.stringify(facts), topic_id: topicId }
  await tx
    .insertInto('notice')
    .values(ids.map((member_id) => ({ ...row, member_id })))
    .execute()
}

/** Lets go of the words of a post that go for good; without a kind, of all under the topic. */
export async function forget(tx: Db, topicId: string, post?: Pick<PostView, 'kind' | 'id'>): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ facts: sql`jsonb_set(jsonb_set(facts, '{post,title}', '""'), '{post,excerpt}', '""')` })
    .where('topic_id', '=', topicId)
    .$if(post !== undefined, (query) =>
      query.where(sql<boolean>`facts -> 'post' ->> 'kind' = ${post?.kind} and facts -> 'post' ->> 'id' = ${post?.id}`),
    )
    .execute()
}
