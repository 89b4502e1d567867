import { sql } from 'kysely'
import type { Taken } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import * as posts from '#post/server/post.ts'
import { TagsNotOpen, TooManyTags, type askQuestion, type editQuestion } from '#question/contract.ts'
import { findQuestion } from '#question/server/own.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import type * as writing from '#writing/server/writing.ts'

type Done = { questionId: string; isPending: boolean }

/** Asks a question, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function ask(tx: Db, author: Member, asked: Taken<typeof askQuestion>, when: writing.When = {}): Promise<Done> {
  const { tagIds, ...draft } = asked
  const { topicId: questionId, isPending } = await topics.publish(tx, author, { ...draft, kind: 'question' }, when)
  if (tagIds.length > 0) await tagWith(tx, author, { id: questionId, tagId: draft.tagId }, tagIds)
  return { questionId, isPending }
}

export async function edit(tx: Db, member: Member, asked: Taken<typeof editQuestion>, from: From): Promise<Done> {
  const { questionId, tagIds, ...draft } = asked
  const thread = await findQuestion(tx, member, questionId)
  const { isPending } = await topics.edit(tx, member, { topicId: questionId, ...draft }, from)
  await tagWith(tx, member, thread, tagIds)
  posts.wasChanged(tx, thread)
  return { questionId, isPending }
}

/** Puts a question under these tags beside the one it lies in, and under no others that this member knows of. */
async function tagWith(tx: Db, member: Member, question: { id: string; tagId: string }, tagIds: readonly string[]): Promise<void> {
  const further = [...new Set(tagIds)].filter((id) => id !== question.tagId)
  const { maxQuestionTags } = await setting.all(tx)
  if (further.length >= maxQuestionTags) throw TooManyTags({ most: maxQuestionTags })
  const rows = await tx
    .selectFrom('tag')
    .select('id')
    .where('id', '=', anyOf(further))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tag as below').select('below.id').whereRef('below.parent_id', '=', 'tag.id'))),
    )
    .forKeyShare()
    .execute()
  const before = await tx.selectFrom('question_tag').select('tag_id').where('topic_id', '=', question.id).execute()
  const had = new Set(before.map(({ tag_id }) => tag_id))
  const mayStand = (id: string) => member.may('tag.view', id) && (had.has(id) || member.may('question.ask', id))
  if (rows.length < further.length || !further.every(mayStand)) throw TagsNotOpen()
  await sql`
    delete from question_tag where topic_id = ${question.id} and tag_id <> place_id and tag_id <> all(${further}::bigint[])
      and ${tag.seenBy(member, 'tag_id')}`.execute(tx)
  await sql`
    insert into question_tag (topic_id, tag_id, place_id, state, last_reply_at, is_listed)
    select place.topic_id, asked.id, place.place_id, place.state, place.last_reply_at, place.is_listed
    from unnest(${further}::bigint[]) as asked(id), question_tag as place
    where place.topic_id = ${question.id} and place.tag_id = place.place_id
    on conflict do nothing`.execute(tx)
}
