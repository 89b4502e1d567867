import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { batches, undoBatch } from '#batch/contract.ts'
import { removeRemark } from '#comment/contract.ts'
import { doAtOnce, restoreTopic } from '#content/contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import { clean, mergeMembers, undoCleaning } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/clean.ts'
import { resume as resumeMerging } from '#member-cleanup/server/merge.ts'
import { adoptAnswer, question } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'

let forum: Forum
let chief: Staffer
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

type Solved = { ann: Person; tom: Person; questionId: string; best: string; other: string }

/** A question with two answers, one of them accepted. */
async function solved(): Promise<Solved> {
  const [ann, tom] = [await forum.member(), await forum.member()]
  const questionId = await aQuestion(ann, tagId)
  const [best, other] = [await anAnswer(tom, questionId), await anAnswer(await forum.member(), questionId)]
  await ann.call(adoptAnswer, { questionId, commentId: best }, newIdempotencyKey())
  return { ann, tom, questionId, best, other }
}

/** The accepted answer on the page with its time, and the reward of its author. */
async function stands({ tom, questionId }: Solved) {
  const { state, bestId: best } = await forum.visitor().call(question, { questionId })
  const { app } = forum.database
  const adoption = await app.selectFrom('adoption').selectAll().where('topic_id', '=', questionId).executeTakeFirst()
  const { counts, level } = await forum.visitor().call(home, { userId: tom.id })
  return { state, best, adoption, adopted: counts?.adopted, level, rewards: await rewardsOf(tom) }
}

async function rewardsOf({ id }: Person) {
  const { app } = forum.database
  return app.selectFrom('reward').select(['is_due', 'points']).where('member_id', '=', id).where('is_adoption', '=', true).execute()
}

const bulk = (action: 'comment.remove' | 'comment.restore' | 'topic.remove', id: string) =>
  chief.call(doAtOnce, { action, ids: [id], reason: 'Order' })

async function undoLast(): Promise<void> {
  const [last] = (await chief.call(batches, {})).rows
  await chief.call(undoBatch, { batchId: last?.id ?? '', reason: '' })
}

type Action = { goes: (its: Solved) => Promise<unknown>; comes?: (its: Solved) => Promise<unknown>; isAway?: boolean }

const actions: Record<string, Action> = {
  'removed in bulk': { goes: ({ best }) => bulk('comment.remove', best) },
  'removed, and restored': { goes: ({ best }) => bulk('comment.remove', best), comes: ({ best }) => bulk('comment.restore', best) },
  'removed by its author, and restored': {
    goes: ({ tom, best: commentId }) => tom.call(removeRemark, { kind: 'comment', id: commentId }),
    comes: ({ best }) => bulk('comment.restore', best),
  },
  'moved to another thread': {
    goes: async ({ ann, questionId, best }) =>
      chief.call(moveComments, { topicId: questionId, commentIds: [best], to: await aTopic(ann, tagId) }),
  },
  'split off as what opens a topic': {
    goes: ({ questionId, best }) => chief.call(splitTopic, { topicId: questionId, commentIds: [best], title: 'Apart', tagId }),
  },
  'split off with another': {
    goes: ({ questionId, best, other }) =>
      chief.call(splitTopic, { topicId: questionId, commentIds: [best, other], title: 'Apart', tagId }),
  },
  'merged with its question': {
    goes: async ({ questionId }) => chief.call(mergeTopics, { topicIds: [questionId], to: await aTopic(await forum.member(), tagId) }),
    isAway: true,
  },
  'cleaned up with its author': {
    goes: async ({ tom }) => {
      await chief.call(clean, { memberId: tom.id, reason: 'spam', andThen: 'nothing' })
      await resume(forum.database)
    },
    comes: async ({ tom }) => {
      const { id: cleaningId } = await forum.database.app
        .selectFrom('member_cleanup')
        .select('id')
        .where('member_id', '=', tom.id)
        .executeTakeFirstOrThrow()
      await chief.call(undoCleaning, { cleaningId })
      await resume(forum.database)
    },
  },
}

test.each(Object.entries(actions))('an answer that solved its question solves it again once it is back: %s', async (_, action) => {
  const its = await solved()
  const before = await stands(its)
  expect(before).toMatchObject({ state: 'resolved', best: its.best, adopted: 1 })
  await action.goes(its)
  const after = action.isAway ? { best: null, adopted: 0 } : await stands(its)
  expect(after).toMatchObject({ best: null, adopted: 0 })
  expect(await rewardsOf(its.tom)).toEqual([{ is_due: false, points: before.rewards[0]?.points }])
  await (action.comes ?? undoLast)(its)
  expect(await stands(its)).toEqual(before)
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

test('a restored answer stays unaccepted if another was accepted since, or the acceptance was withdrawn', async () => {
  const its = await solved()
  const { ann, questionId, best, other } = its
  await bulk('comment.remove', best)
  await ann.call(adoptAnswer, { questionId, commentId: other }, newIdempotencyKey())
  await bulk('comment.restore', best)
  expect((await stands(its)).best).toBe(other)
  await bulk('comment.remove', other)
  await bulk('comment.remove', best)
  await bulk('comment.restore', best)
  expect((await stands(its)).state).toBe('unresolved')
  await bulk('comment.restore', other)
  expect((await stands(its)).best).toBe(other)
  await bulk('comment.remove', other)
  await ann.call(adoptAnswer, { questionId, commentId: best }, newIdempotencyKey())
  await ann.call(adoptAnswer, { questionId }, newIdempotencyKey())
  await bulk('comment.restore', other)
  expect(await stands(its)).toMatchObject({ state: 'unresolved', best: null })
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

test.each(['the asker into the answerer', 'the answerer into the asker'])(
  'a merge of asker and answerer leaves their question unsolved: %s',
  async (how) => {
    const [its, removed] = [await solved(), await solved()]
    await bulk('topic.remove', removed.questionId)
    for (const { ann, tom, questionId } of [its, removed]) {
      const [from, into] = how.startsWith('the asker') ? [ann, tom] : [tom, ann]
      await chief.call(mergeMembers, { memberId: from.id, account: from.account, into: into.account, reason: 'One and the same' })
      await resumeMerging(forum.database)
      if (questionId === removed.questionId) await chief.call(restoreTopic, { topicId: questionId })
      expect(await forum.visitor().call(question, { questionId })).toMatchObject({ state: 'unresolved', bestId: null })
      expect((await forum.visitor().call(home, { userId: into.id })).counts).toMatchObject({ adopted: 0 })
    }
    expect(await wrongCounts(forum.database.app)).toEqual([])
  },
)
