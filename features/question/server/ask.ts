import type { Taken } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as posts from '#post/server/post.ts'
import { TagsNotOpen, TooManyTags, type askQuestion, type editQuestion } from '#question/contract.ts'
import { findQuestion } from '#question/server/own.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import type * as writing from '#writing/server/writing.ts'

type Done = { questionId: string; isPending: boolean }

/** Asks a question, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function ask(tx: Db, author: Member, asked: Taken<typeof askQuestion>, when: writing.When = {}): Promise<Done> {
  const { tagIds, bountyPoints, bountyCash, bountyDays, ...draft } = asked
  const { topicId: questionId, isPending } = await topics.publish(tx, author, { ...draft, kind: 'question' }, when)
  if (tagIds.length > 0) await posts.putUnder(tx, questionId, await furtherTags(tx, author, { id: questionId, tagId: draft.tagId }, tagIds))
  await bounty.offer(tx, author, { id: questionId, isPending, isSeed: when.at !== undefined }, { bountyPoints, bountyCash, bountyDays })
  return { questionId, isPending }
}

/** Where the edit waits until staff have looked at it, its tags wait with it. Tags that are not given stay. */
export async function edit(tx: Db, member: Member, asked: Taken<typeof editQuestion>, from: From): Promise<Done> {
  const { questionId, tagIds, ...draft } = asked
  const question = await findQuestion(tx, member, questionId)
  const further = tagIds && { tagIds: await furtherTags(tx, member, question, tagIds) }
  const { isPending } = await topics.edit(tx, member, { topicId: questionId, ...draft, ...further }, from)
  return { questionId, isPending }
}

/** What a question shall stand under beside the tag it lies in: these, and those it has that this member does not know of. */
async function furtherTags(
  tx: Db,
  member: Member,
  question: { id: string; tagId: string },
  tagIds: readonly string[],
): Promise<readonly string[]> {
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
  const before = await tx
    .selectFrom('question_tag')
    .select('tag_id')
    .where('topic_id', '=', question.id)
    .whereRef('tag_id', '<>', 'place_id')
    .execute()
  const had = new Set(before.map(({ tag_id }) => tag_id))
  const mayStand = (id: string) => member.may('tag.view', id) && (had.has(id) || member.may('question.ask', id))
  if (rows.length < further.length || !further.every(mayStand)) throw TagsNotOpen()
  return [...further, ...[...had].filter((id) => !member.may('tag.view', id))]
}
