import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { endDue } from '#bounty/server/due.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { moveComments } from '#content/move-contract.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { addLike } from '#like/contract.ts'
import { notificationList } from '#notification/notification-contract.ts'
import { askQuestion } from '#question/contract.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, mention, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const notificationsOf = async (who: Person) =>
  (await who.call(notificationList, {})).notifications.map(({ kind, people }) => `${kind} ${people}`)

test('a post in review notifies no one until it is approved', async () => {
  const topicId = await aTopic(mei, tagId)
  await change({ reviewComments: 'everybody' })
  await aComment(tom, topicId, { body: documentWith(paragraph(mention(bo.id))) })
  await change({ reviewComments: 'nobody' })
  expect([await notificationsOf(mei), await notificationsOf(bo)]).toEqual([[], []])
  const [waiting] = (await chief.call(reviewQueue, { size: 200 })).rows.filter(({ author }) => author.id === tom.id)
  await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
  expect([await notificationsOf(mei), await notificationsOf(bo)]).toEqual([['commented 1'], ['mentioned 1']])
})

test('a purchase of a hidden part notifies its author', async () => {
  const body = documentWith(paragraph({ type: 'text', text: 'Open.' }), hides('points', '5', 'the treasure'))
  const topicId = await aTopic(mei, tagId, { body })
  const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  await endow(forum.database, tom.id, 20)
  await tom.call(buyPart, { partId, price: '5' }, { 'idempotency-key': 'a-key-for-the-treasure' })
  expect(await notificationsOf(mei)).toEqual(['unlocked 1'])
})

test('a mention inside a hidden part notifies no one', async () => {
  await aTopic(mei, tagId, {
    body: documentWith(paragraph({ type: 'text', text: 'Open.' }), hides('points', '5', paragraph(mention(tom.id)))),
  })
  expect(await notificationsOf(tom)).toEqual([])
})

test('an asker is reminded a day before a bounty ends, once', async () => {
  await endow(forum.database, mei.id, 100)
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.'), bountyPoints: '50', bountyDays: 7 }
  const { questionId } = await mei.call(askQuestion, draft, { 'idempotency-key': 'a-key-for-what-ends-soon' })
  await endDue(forum.database)
  expect(await notificationsOf(mei)).toEqual([])
  await sql`update bounty set ends_at = clock_timestamp() + interval '5 hours' where topic_id = ${questionId}`.execute(forum.database.app)
  await endDue(forum.database)
  await endDue(forum.database)
  expect(await notificationsOf(mei)).toEqual(['bountyEnding 0'])
})

test('a moved comment leaves the notifications of its old topic, and its other notifications lead to its new place', async () => {
  const [from, to] = [await aTopic(mei, tagId), await aTopic(bo, tagId)]
  const commentId = await aComment(tom, from)
  const replyId = await aReply(bo, commentId)
  await mei.call(addLike, { kind: 'comment', id: commentId })
  expect([await notificationsOf(mei), (await notificationsOf(tom)).toSorted()]).toEqual([
    ['repliedInThread 1', 'commented 1'],
    ['liked 1', 'replied 1'],
  ])
  await chief.call(moveComments, { topicId: from, commentIds: [commentId], to, reason: 'Off the topic' })
  expect([await notificationsOf(mei), (await notificationsOf(tom)).toSorted()]).toEqual([[], ['liked 1', 'replied 1']])
  const { notifications } = await tom.call(notificationList, {})
  expect(notifications.map(({ post }) => post?.topicId)).toEqual([to, to])
  expect(notifications.map(({ post }) => post?.id).toSorted()).toEqual([commentId, replyId].toSorted())
})

test('a reply notifies the latest twenty who replied to the comment, and the comment’s author', async () => {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  const crowd = await Promise.all(Array.from({ length: 22 }, () => forum.member()))
  for (const one of crowd) await aReply(one, commentId)
  expect((await notificationsOf(tom))[0]).toBe('replied 22')
  const before = await Promise.all(crowd.map(notificationsOf))
  await aReply(bo, commentId)
  const after = await Promise.all(crowd.map(notificationsOf))
  expect(after.map((all, n) => String(all) !== String(before[n]))).toEqual(crowd.map((_, n) => n >= 2))
  expect((await notificationsOf(tom))[0]).toBe('replied 23')
})
