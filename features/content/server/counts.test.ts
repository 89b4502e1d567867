import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as batch from '#batch/contract.ts'
import { addComment, addReply, memberComments, memberReplies } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/server/example.ts'
import * as contract from '#content/contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { wrongCounts } from '#content/server/example.ts'
import { deedNames } from '#content/views.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { aTag } from '#tag/server/example.ts'
import { aTopic } from '#topic/server/example.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/server/example.ts'

let forum: Forum
let chief: Staffer
let tags: string[]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tags = [await aTag(forum.database), await aTag(forum.database)]
})

type Thread = { topics: string[]; comments: string[]; replies: string[] }

async function threads(): Promise<Thread> {
  // Anew each time, for members may not write so fast.
  const [ann, tom, mei] = [await forum.member(), await forum.member(), await forum.member()]
  const topics = [await aTopic(ann, tags[0] ?? ''), await aTopic(tom, tags[1] ?? '')]
  const comments: string[] = []
  const replies: string[] = []
  for (const topicId of topics) {
    for (const who of [tom, ann, mei]) comments.push(await aComment(who, topicId))
    replies.push(await aReply(ann, comments.at(-1) ?? ''), await aReply(mei, comments.at(-2) ?? ''))
  }
  return { topics, comments, replies }
}

const deed = fc.record({
  deed: fc.oneof(
    fc.constantFrom(...deedNames),
    fc.constantFrom('undo', 'purge topic', 'purge comment', 'purge reply', 'split', 'move', 'merge'),
  ),
  which: fc.nat(11),
  many: fc.integer({ min: 1, max: 3 }),
  tag: fc.nat(1),
})
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never

async function act({ topics, comments, replies }: Thread, batches: string[], { deed: name, which, many, tag }: Deed): Promise<void> {
  const of = (kind: string) => ({ topic: topics, comment: comments, reply: replies })[kind] ?? []
  const some = (kind: string) => Array.from({ length: many }, (_, index) => of(kind)[(which + index) % of(kind).length] ?? '')
  if (name === 'undo') {
    const batchId = batches[which % Math.max(1, batches.length)]
    if (batchId) mustNotBreak(await chief.tries(batch.undoBatch, { batchId }))
  } else if (name === 'split' || name === 'move' || name === 'merge') {
    await moveSome({ topics, comments, replies }, batches, { how: name, from: some('topic')[0] ?? '', ids: some('comment'), tag })
  } else if (name === 'purge topic') {
    await chief.tries(contract.purgeTopic, { topicId: some('topic')[0] ?? '' })
  } else if (name === 'purge comment' || name === 'purge reply') {
    const kind = name === 'purge comment' ? 'comment' : 'reply'
    await chief.tries(contract.purgeRemark, { kind, id: some(kind)[0] ?? '' })
  } else {
    const [kind = ''] = name.split('.')
    const {
      batch: { id: batchId },
    } = await chief.call(contract.doAtOnce, {
      deed: name,
      ids: [...new Set(some(kind))],
      tagId: tags[tag] ?? '',
      reason: 'Order',
    })
    batches.push(batchId)
  }
}

type Move = { how: 'split' | 'move' | 'merge'; from: string; ids: string[]; tag: number }

async function moveSome({ topics }: Thread, batches: string[], { how, from, ids, tag }: Move): Promise<void> {
  const at = await forum.database.app.selectFrom('comment').select(['id', 'topic_id']).where('id', 'in', ids).execute()
  const topicId = at[0]?.topic_id ?? ''
  const commentIds = at.flatMap((one) => (one.topic_id === topicId ? one.id : []))
  const to = topics.find((id) => id !== topicId && id !== from) ?? ''
  const tried = await (how === 'split'
    ? chief.tries(splitTopic, { topicId, commentIds, title: 'Apart from the others', tagId: tags[tag] ?? '' })
    : how === 'move'
      ? chief.tries(moveComments, { topicId, commentIds, to })
      : chief.tries(mergeTopics, { topicIds: [from], to }))
  mustNotBreak(tried)
  const made = await forum.database.app.selectFrom('topic').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  if (!topics.includes(made.id)) topics.push(made.id)
  const [last] = (await chief.call(batch.batches, {})).rows
  if (last && !batches.includes(last.id)) batches.push(last.id)
}

function mustNotBreak({ status }: { status: number }): void {
  if (status >= 500) throw new Error(`It broke: ${status}`)
}

test.each([...deedNames, 'split', 'move', 'merge', 'purge comment'] as const)(
  'counts stay right where others write beside a deed of staff: %s',
  async (name) => {
    const thread = await threads()
    const people = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
    const [topicId = '', other = ''] = thread.topics
    const [commentId = '', quotes = ''] = thread.comments
    const writers = people.flatMap((who) => [
      who.tries(addReply, { commentId, body: says('Beside it') }),
      who.tries(addComment, { topicId, quotes, body: says('Beside it') }),
      who.tries(addReply, { commentId: thread.comments.at(-1) ?? '', body: says('Elsewhere') }),
      who.tries(addComment, { topicId: other, body: says('Elsewhere') }),
    ])
    const [, ...written] = await Promise.all([act(thread, [], { deed: name, which: 0, many: 2, tag: 1 }), ...writers])
    for (const answer of written) mustNotBreak(answer)
    expect(await wrongCounts(forum.database.app)).toEqual([])
  },
)

/** Whatever was written, by whom, whether it opens a topic or stands under one. */
async function allSaid() {
  const { rows } = await sql`
    select author_id, said, count(*) from (
      select author_id, summary as said from topic where purged_at is null
      union all select author_id, text from comment where purged_at is null
      union all select author_id, text from reply where purged_at is null
    ) as post group by 1, 2 order by 1, 2`.execute(forum.database.app)
  return rows
}

test('whatever staff do in whatever order, every count is what a recount says, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 25 }), async (deeds) => {
      const thread = await threads()
      const [batches, said]: [string[], unknown] = [[], await allSaid()]
      for (const one of deeds) await act(thread, batches, one)
      expect(await wrongCounts(forum.database.app)).toEqual([])
      const isErased = deeds.some(({ deed: name }) => name.startsWith('purge'))
      expect(isErased ? said : await allSaid()).toEqual(said)
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

test('a topic is erased with the replies under a comment that was erased before', async () => {
  const { topics, comments } = await threads()
  const [topicId = '', commentId = ''] = [topics[0], comments[2]]
  await chief.call(contract.doAtOnce, { deed: 'comment.remove', ids: [commentId], reason: 'Order' })
  await chief.call(contract.purgeRemark, { kind: 'comment', id: commentId })
  await chief.call(contract.doAtOnce, { deed: 'topic.remove', ids: [topicId], reason: 'Order' })
  await chief.call(contract.purgeTopic, { topicId })
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

test('what a member wrote counts while the thread it stands in is on the page, as in their lists', async () => {
  const {
    topics: [topicId = '', other = ''],
  } = await threads()
  const ofThread = await forum.database.app.selectFrom('comment').select(['id', 'author_id']).where('topic_id', '=', topicId).execute()
  const [userId = ''] = ofThread.map(({ author_id }) => author_id)
  const stands = async () => {
    const reader = forum.visitor()
    const { counts } = await reader.call(home, { userId })
    const [said, replied] = [await reader.call(memberComments, { userId }), await reader.call(memberReplies, { userId })]
    expect([counts?.comments, counts?.replies]).toEqual([said.total, replied.total])
    expect(await wrongCounts(forum.database.app)).toEqual([])
    return said.total
  }
  const before = await stands()
  const [own = ''] = ofThread.flatMap(({ id, author_id }) => (author_id === userId ? id : []))
  await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'Order' })
  expect(await stands()).toBe(before - 1)
  await chief.call(contract.removeRemark, { kind: 'comment', id: own, reason: 'Order' })
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
