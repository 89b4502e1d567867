import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { runs } from '#base/testing/extent.ts'
import * as batch from '#batch/contract.ts'
import { addComment, addReply, memberRemarks, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import { threadKinds } from '#kind/contract.ts'
import { clean, cleanings, undoCleaning } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/clean.ts'
import { adoptAnswer, restoreQuestion } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { approveReview, rejectReview, reviewQueue } from '#review/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const bulkActionNames = contract.doAtOnce.input.shape.action.options

let forum: Forum
let chief: Staffer
let tags: string[]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tags = [await aTag(forum.database), await aTag(forum.database)]
})

type Thread = { people: Person[]; topics: string[]; comments: string[]; replies: string[] }

async function threads(): Promise<Thread> {
  // New people each time, because of the rate limits for posts.
  const [ann, tom, mei] = [await forum.member(), await forum.member(), await forum.member()]
  const [here = '', there = ''] = tags
  const questionId = await aQuestion(ann, here, { tagIds: [there] })
  const topics = [await aTopic(ann, here), await aTopic(tom, there), questionId]
  const comments: string[] = []
  const replies: string[] = []
  for (const topicId of topics) {
    for (const who of [tom, ann, mei]) comments.push(await aComment(who, topicId))
    replies.push(await aReply(ann, comments.at(-1) ?? ''), await aReply(mei, comments.at(-2) ?? ''))
  }
  await ann.call(adoptAnswer, { questionId, commentId: comments.at(-1) ?? '' }, newIdempotencyKey())
  return { people: [ann, tom, mei], topics, comments, replies }
}

const ofStaff = [
  'undo',
  'purge topic',
  'purge comment',
  'purge reply',
  'split',
  'move',
  'merge',
  'approve',
  'reject',
  'clean',
  'undo clean',
] as const
const ofMembers = ['say', 'say for review', 'adopt', 'adopt none', 'remove', 'put back'] as const
type Name = (typeof bulkActionNames)[number] | (typeof ofStaff)[number] | (typeof ofMembers)[number]

const action = fc.record({
  action: fc.oneof(fc.constantFrom<Name>(...bulkActionNames), fc.constantFrom<Name>(...ofStaff), fc.constantFrom<Name>(...ofMembers)),
  which: fc.nat(14),
  many: fc.integer({ min: 1, max: 3 }),
  tag: fc.nat(1),
})
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

async function act(thread: Thread, batches: string[], { action: name, which, many, tag }: Action): Promise<void> {
  const of = (kind: string) => ({ topic: thread.topics, comment: thread.comments, reply: thread.replies })[kind] ?? []
  const some = (kind: string) => Array.from({ length: many }, (_, index) => of(kind)[(which + index) % of(kind).length] ?? '')
  const [topicId = '', commentId = ''] = [some('topic')[0], some('comment')[0]]
  if (name === 'undo') {
    const batchId = batches[which % Math.max(1, batches.length)]
    if (batchId) mustNotBreak(await chief.tryCall(batch.undoBatch, { batchId }))
  } else if (name === 'split' || name === 'move' || name === 'merge') {
    await moveSome(thread, batches, { how: name, from: topicId, ids: some('comment'), tag })
  } else if (name === 'purge topic') {
    mustNotBreak(await chief.tryCall(contract.purgeTopic, { topicId }))
  } else if (name === 'purge comment' || name === 'purge reply') {
    const kind = name === 'purge comment' ? 'comment' : 'reply'
    mustNotBreak(await chief.tryCall(contract.purgeRemark, { kind, id: some(kind)[0] ?? '' }))
  } else if (isOf(ofStaff, name)) {
    await (name === 'approve' || name === 'reject' ? decide(name, which) : cleanUp(thread, which, name === 'undo clean'))
  } else if (isOf(ofMembers, name)) {
    await asMember(thread, name, { topicId, commentId, which })
  } else {
    const [kind = ''] = name.split('.')
    const place = name === 'topic.move' ? { tagId: tags[tag] ?? '' } : {}
    const wish = { action: name, ids: [...new Set(some(kind))], ...place, reason: 'Order' }
    batches.push((await chief.call(contract.doAtOnce, wish)).batch.id)
  }
}

function isOf<One extends Name>(names: readonly One[], name: Name): name is One {
  return (names as readonly Name[]).includes(name)
}

let saidSo = 0
type What = { topicId: string; commentId: string; which: number }

/** Refusals are expected and ignored. */
async function asMember({ people, comments, replies }: Thread, name: (typeof ofMembers)[number], { topicId, commentId, which }: What) {
  const who = people[which % people.length] as Person
  if (name.startsWith('say')) {
    const review = async (rule: 'everybody' | 'nobody') =>
      chief.call(changeSettings, { reviewComments: rule, reviewAnswers: rule, reviewReplies: rule, reviewAnswerReplies: rule })
    if (name === 'say for review') await review('everybody')
    const body = says(`Said for the time ${++saidSo}`)
    const commentAnswer = await who.tryCall(addComment, { topicId, body })
    if (commentAnswer.status === 200) comments.push((commentAnswer.body as { commentId: string }).commentId)
    const replied = await who.tryCall(addReply, { commentId, body })
    if (replied.status === 200) replies.push((replied.body as { replyId: string }).replyId)
    if (name === 'say for review') await review('nobody')
    for (const answer of [commentAnswer, replied]) mustNotBreak(answer)
  } else if (name === 'remove') {
    mustNotBreak(await who.tryCall(removeRemark, { kind: 'comment', id: commentId }))
    mustNotBreak(await who.tryCall(removeTopic, { topicId }))
  } else if (name === 'put back') {
    mustNotBreak(await (people[0] as Person).tryCall(restoreQuestion, { questionId: topicId }))
  } else {
    const wish = { questionId: topicId, ...(name === 'adopt' && { commentId }) }
    mustNotBreak(await (people[0] as Person).tryCall(adoptAnswer, wish, newIdempotencyKey()))
  }
}

async function decide(name: 'approve' | 'reject', which: number): Promise<void> {
  const { rows } = await chief.call(reviewQueue, {})
  const waits = rows[which % Math.max(1, rows.length)]
  if (!waits) return
  const its = { reviewId: waits.id, version: waits.version }
  mustNotBreak(
    await (name === 'approve' ? chief.tryCall(approveReview, its) : chief.tryCall(rejectReview, { ...its, reasonZh: '', reasonEn: 'No' })),
  )
}

async function cleanUp({ people }: Thread, which: number, isUndo: boolean): Promise<void> {
  const memberId = people[which % people.length]?.id ?? ''
  const [last] = (await chief.call(cleanings, { memberId })).rows
  if (!isUndo) mustNotBreak(await chief.tryCall(clean, { memberId, reason: 'spam', andThen: 'nothing' }))
  else if (last) mustNotBreak(await chief.tryCall(undoCleaning, { cleaningId: last.cleaningId }))
  await resume(forum.database)
}

type Move = { how: 'split' | 'move' | 'merge'; from: string; ids: string[]; tag: number }

async function moveSome({ topics }: Thread, batches: string[], { how, from, ids, tag }: Move): Promise<void> {
  const at = await forum.database.app.selectFrom('comment').select(['id', 'topic_id']).where('id', 'in', ids).execute()
  const topicId = at[0]?.topic_id ?? ''
  const commentIds = at.flatMap((one) => (one.topic_id === topicId ? one.id : []))
  const to = topics.find((id) => id !== topicId && id !== from) ?? ''
  const tried = await (how === 'split'
    ? chief.tryCall(splitTopic, { topicId, commentIds, title: 'Apart from the others', tagId: tags[tag] ?? '' })
    : how === 'move'
      ? chief.tryCall(moveComments, { topicId, commentIds, to })
      : chief.tryCall(mergeTopics, { topicIds: [from], to }))
  mustNotBreak(tried)
  if (tried.status !== 200) return
  const newest = await forum.database.app.selectFrom('topic').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  if (!topics.includes(newest.id)) topics.push(newest.id)
  const [last] = (await chief.call(batch.batches, {})).rows
  if (last) batches.push(last.id)
}

function mustNotBreak({ status }: { status: number }): void {
  if (status >= 500) throw new Error(`It broke: ${status}`)
}

test.each<Name>([...bulkActionNames, 'split', 'move', 'merge', 'purge comment', 'clean', 'adopt', 'remove'])(
  'counts stay right while others write beside an action of staff: %s',
  async (name) => {
    const thread = await threads()
    const people = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
    const [topicId = '', other = ''] = thread.topics
    const [commentId = '', quotes = ''] = thread.comments
    const writers = people.flatMap((who) => [
      who.tryCall(addReply, { commentId, body: says('Beside it') }),
      who.tryCall(addComment, { topicId, quotes, body: says('Beside it') }),
      who.tryCall(addReply, { commentId: thread.comments.at(-1) ?? '', body: says('Elsewhere') }),
      who.tryCall(addComment, { topicId: other, body: says('Elsewhere') }),
    ])
    const [, ...written] = await Promise.all([act(thread, [], { action: name, which: 0, many: 2, tag: 1 }), ...writers])
    for (const answer of written) mustNotBreak(answer)
    expect(await wrongCounts(forum.database.app)).toEqual([])
  },
)

/** Every text with its author, whether it is an opening or a remark. */
async function allSaid() {
  const { rows } = await sql`
    select author_id, said, count(*) from (
      select author_id, summary as said from topic where purged_at is null
      union all select author_id, text from comment where purged_at is null
      union all select author_id, text from reply where purged_at is null
    ) as post group by 1, 2 order by 1, 2`.execute(forum.database.app)
  return rows
}

test('after any actions of staff in any order, every count equals a recount, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const thread = await threads()
      const [batches, textsBefore]: [string[], unknown[]] = [[], await allSaid()]
      for (const one of actions) await act(thread, batches, one)
      expect(await wrongCounts(forum.database.app)).toEqual([])
      // An answered question that its asker removes loses its content.
      const isErased = actions.some(({ action: name }) => name.startsWith('purge') || name === 'remove')
      expect(await allSaid()).toEqual(expect.arrayContaining(isErased ? [] : textsBefore))
    }),
    { numRuns: runs(12), endOnFailure: true },
  )
})

/** The accepted answers with time and actor, and their rewards. */
async function solved() {
  const { rows } = await sql`
    select topic_id, comment_id, adoption.author_id, adopted_at, staff_id, is_resolved, points, is_due
    from adoption join topic on topic.id = topic_id left join reward on is_adoption and post_id = comment_id order by 1`.execute(
    forum.database.app,
  )
  return rows
}

test('after any history, an action of staff and its undo leave the accepted answers as they were', async () => {
  const undone = action.filter(({ action: name }) => isOf(bulkActionNames, name) || ['split', 'move', 'merge'].includes(name))
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 8 }), fc.array(undone, { minLength: 4, maxLength: 8 }), async (actions, pairs) => {
      const [thread, batches]: [Thread, string[]] = [await threads(), []]
      for (const one of actions) await act(thread, batches, one)
      for (const one of pairs) {
        const [before, known] = [await solved(), batches.length]
        await act(thread, batches, one)
        for (const batchId of batches.slice(known)) await chief.call(batch.undoBatch, { batchId })
        expect([one, await solved()]).toEqual([one, before])
      }
      expect(await wrongCounts(forum.database.app)).toEqual([])
    }),
    { numRuns: runs(12), endOnFailure: true },
  )
})

test('a topic is erased with the replies under a comment that was erased before', async () => {
  const { topics, comments } = await threads()
  const [topicId = '', commentId = ''] = [topics[0], comments[2]]
  await chief.call(contract.doAtOnce, { action: 'comment.remove', ids: [commentId], reason: 'Order' })
  await chief.call(contract.purgeRemark, { kind: 'comment', id: commentId })
  await chief.call(contract.doAtOnce, { action: 'topic.remove', ids: [topicId], reason: 'Order' })
  await chief.call(contract.purgeTopic, { topicId })
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

test('a member’s posts count while their thread is visible, as in their lists', async () => {
  const {
    topics: [topicId = '', other = ''],
  } = await threads()
  const ofThread = await forum.database.app
    .selectFrom('comment')
    .select(['id', 'author_id'])
    .where('topic_id', '=', topicId)
    .orderBy('id', 'desc')
    .execute()
  const [userId = ''] = ofThread.map(({ author_id }) => author_id)
  const stands = async () => {
    const reader = forum.visitor()
    const { counts } = await reader.call(home, { userId })
    const listedComments = await reader.call(memberRemarks, { kind: 'comment', userId })
    const replied = await Promise.all(threadKinds.map((thread) => reader.call(memberRemarks, { kind: 'reply', userId, thread })))
    expect([counts?.comments, counts?.replies]).toEqual([listedComments.total, replied.reduce((sum, { total }) => sum + total, 0)])
    expect(counts?.replies).toBeGreaterThan(0)
    expect(await wrongCounts(forum.database.app)).toEqual([])
    return listedComments.total
  }
  const before = await stands()
  const [own = ''] = ofThread.flatMap(({ id, author_id }) => (author_id === userId ? id : []))
  await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'Order' })
  expect(await stands()).toBe(before - 1)
  await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: own, reason: 'Order' })
  expect(await stands()).toBe(before - 1)
  await chief.call(contract.restoreTopic, { topicId })
  expect(await stands()).toBe(before - 1)
  await chief.call(contract.restoreRemark, { kind: 'comment', id: own })
  expect(await stands()).toBe(before)
  await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'Order' })
  await chief.call(moveComments, { topicId, commentIds: [own], to: other })
  expect(await stands()).toBe(before)
  await chief.call(contract.moveTopic, { topicId, tagId: tags[1] ?? '' })
  await chief.call(contract.purgeTopic, { topicId })
  expect(await stands()).toBe(before)
})
