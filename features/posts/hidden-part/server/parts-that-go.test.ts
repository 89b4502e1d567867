import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import type { Block } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { rounds } from '#base/testing/extent.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { listComments, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { fileKeys } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as hidden from '#hidden-part/contract.ts'
import { hides, partIds, seenBy } from '#hidden-part/testing/factories.ts'
import { refundDue } from '#hidden-part/server/refund-due.ts'
import { leave } from '#leaving/contract.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { clean, undoCleaning } from '#member-cleanup/contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, paragraph, picture } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let tom: Person
let tagId: string

const reason = 'Against the rules'

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
  await change({ hiddenPartsRemoved: 'keep', hiddenSharePoints: 10, topicPoints: 0, commentPoints: 0, answerPoints: 0 })
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

type Sold = { topicId: string; partId: string }

/** A topic of Mei's with these parts, of which Tom bought the first for 30 points. */
async function aSale(first: Block = hides('points', '30', 'treasure'), ...others: Block[]): Promise<Sold> {
  const topicId = await aTopic(mei, tagId, { body: documentWith(first, ...others) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  await endow(forum.database, tom.id, 30)
  await tom.call(hidden.buyPart, { partId, price: '30' }, newIdempotencyKey())
  return { topicId, partId }
}

/** The texts in Tom's list of purchases. */
async function reads(who = tom) {
  return (await who.call(hidden.myUnlocks, {})).unlocks.map(({ segments }) => segments?.map(({ html }) => html).join('') ?? null)
}

async function balancesOf(who: Person) {
  const { balance, owed } = (await wallet.accountsOf(forum.database.app, who.id)).points
  return [Number(balance), Number(owed)]
}

async function settled() {
  await refundDue(forum.database)
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
  return { tom: await balancesOf(tom), mei: await balancesOf(mei), reads: await reads() }
}

const unchanged = { tom: [0, 0], mei: [27, 0], reads: ['<p>treasure</p>'] }
const refunded = { tom: [30, 0], mei: [0, 0], reads: [null] }

test('a removed part stays readable for its buyers, in their list and nowhere else', async () => {
  const { topicId, partId } = await aSale()
  await mei.call(topic.removeTopic, { topicId })
  expect(await settled()).toEqual(unchanged)
  expect((await tom.call(hidden.myUnlocks, {})).unlocks).toMatchObject([{ isGone: true, topic: { id: topicId, title: '' } }])
  expect((await tom.tryCall(hidden.myHidden, { topicId })).status).toBe(404)
  expect(await reads(await forum.member())).toEqual([])
  const late = await forum.member()
  await endow(forum.database, late.id, 30)
  expect((await late.tryCall(hidden.buyPart, { partId, price: '30' }, newIdempotencyKey())).status).toBe(404)
  await chief.call(content.restoreTopic, { topicId, reason: '' })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
})

test('a part opened by its password goes with its topic', async () => {
  const topicId = await aTopic(mei, tagId, { body: documentWith(hides('password', 'sesame', 'cave')) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  await tom.call(hidden.unlockPart, { partId, password: 'sesame' })
  await mei.call(topic.removeTopic, { topicId })
  expect(await reads()).toEqual([null])
})

test('a picture in a bought part stays visible to the buyer, and to no other member', async () => {
  const file: string = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file
  const { topicId } = await aSale(hides('points', '30', picture(file)))
  await mei.call(topic.removeTopic, { topicId })
  const keysOf = async (who: Person) => (await who.call(fileKeys, { files: [file] })).keys.length
  expect([await keysOf(tom), await keysOf(await forum.member())]).toEqual([1, 0])
  await chief.call(content.restoreTopic, { topicId, reason: '' })
  await chief.call(content.removeTopicAsStaff, { topicId, reason })
  expect(await keysOf(tom)).toBe(0)
})

test('a part removed by staff is unreadable, and its price is refunded', async () => {
  const { topicId, partId } = await aSale()
  await chief.call(content.removeTopicAsStaff, { topicId, reason })
  expect(await reads()).toEqual([null])
  expect(await settled()).toEqual(refunded)
  const noticesTo = async (who: Person) => (await who.call(systemNotifyList, {})).notices.map(({ says }) => says)
  expect(await noticesTo(tom)).toEqual([{ kind: 'hiddenPartGone', currency: 'points', amount: '30' }])
  expect(await noticesTo(mei)).toContainEqual({ kind: 'hiddenPartGone', currency: 'points', amount: '-27' })
  // A restored part is locked, and can be bought again.
  await chief.call(content.restoreTopic, { topicId, reason: '' })
  expect([await settled(), await seenBy(tom, topicId)]).toEqual([refunded, ''])
  await tom.call(hidden.buyPart, { partId, price: '30' }, newIdempotencyKey())
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
})

test('a part restored by staff before its refund stays sold', async () => {
  const { topicId } = await aSale()
  await chief.call(content.removeTopicAsStaff, { topicId, reason })
  await chief.call(content.restoreTopic, { topicId, reason: '' })
  expect([await settled(), await seenBy(tom, topicId)]).toEqual([unchanged, 'unlocked: <p>treasure</p>'])
})

test('with the setting, a removal by the author refunds the price; points already spent are owed', async () => {
  await change({ hiddenPartsRemoved: 'refund' })
  const { topicId } = await aSale()
  const other = await aTopic(tom, tagId, { body: documentWith(hides('points', '20', 'else')) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId: other })).segments)
  await mei.call(hidden.buyPart, { partId, price: '20' }, newIdempotencyKey())
  await mei.call(topic.removeTopic, { topicId })
  expect(await settled()).toEqual({ tom: [48, 0], mei: [0, 20], reads: [null] })
})

test('an erased part has no text left, so its price is refunded', async () => {
  const { topicId } = await aSale()
  await mei.call(topic.removeTopic, { topicId })
  expect(await settled()).toEqual(unchanged)
  await chief.call(content.purgeTopic, { topicId, reason })
  expect(await settled()).toEqual(refunded)
})

test.each(['topic', 'answered question'])('the price is refunded when an author leaves and takes their %s with them', async (what) => {
  const { topicId } = await aSale()
  if (what !== 'topic') {
    await chief.call(content.askTopic, { topicId, reason: '' })
    await aComment(tom, topicId, {})
  }
  await mei.call(leave, { way: 'erase', posts: 'remove', givesUp: true })
  await sql`update account_deletion set erase_at = erase_at - interval '8 days' where member_id = ${mei.id}`.execute(forum.database.app)
  await eraseDue(forum.database)
  await refundDue(forum.database)
  expect([await balancesOf(tom), await reads()]).toEqual([[30, 0], [null]])
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
})

test('the price is refunded when staff clean up after an author, unless they undo it at once', async () => {
  const first = await aSale()
  const { cleaningId } = await chief.call(clean, { memberId: mei.id, reason, andThen: 'nothing' })
  await chief.call(undoCleaning, { cleaningId })
  expect([await settled(), await seenBy(tom, first.topicId)]).toEqual([unchanged, 'unlocked: <p>treasure</p>'])
  await chief.call(clean, { memberId: mei.id, reason, andThen: 'nothing' })
  expect(await settled()).toEqual(refunded)
})

test('a part merged into another topic, or moved out of its buyer’s sight, stays theirs', async () => {
  const { topicId } = await aSale()
  const to = await aTopic(mei, tagId, {})
  await chief.call(mergeTopics, { topicIds: [topicId], to, reason: '' })
  expect(await settled()).toEqual(unchanged)
  const { tagId: closed } = await aClosedTag(forum.database)
  await chief.call(content.moveTopic, { topicId: to, tagId: closed, reason: '' })
  expect(await settled()).toEqual(unchanged)
  await chief.call(content.moveTopic, { topicId: to, tagId, reason: '' })
  const commentId = (await forum.visitor().call(listComments, { topicId: to })).comments[0]?.id ?? ''
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await settled()).toEqual(unchanged)
  await chief.call(content.removeTopicAsStaff, { topicId: to, reason })
  expect(await settled()).toEqual(refunded)
})

test('a part edited or taken out by its author shows the current and the bought text', async () => {
  const { topicId, partId } = await aSale()
  const edited = (text: string) => {
    const part = hides('points', '30', text)
    return mei.call(topic.editTopic, {
      topicId,
      title: 'As it was',
      body: documentWith(part.type === 'hidden' ? { ...part, attrs: { ...part.attrs, id: partId } } : part),
    })
  }
  const both = async () =>
    (await tom.call(hidden.myUnlocks, {})).unlocks.map(({ segments, bought }) => [segments?.[0]?.html, bought?.[0]?.html])
  expect(await both()).toEqual([['<p>treasure</p>', undefined]])
  await edited('sold out')
  await edited('nothing')
  expect(await both()).toEqual([['<p>nothing</p>', '<p>treasure</p>']])
  await mei.call(topic.editTopic, { topicId, title: 'Without', body: documentWith(paragraph({ type: 'text', text: 'Open.' })) })
  await mei.call(topic.removeTopic, { topicId })
  expect(await both()).toEqual([['<p>nothing</p>', '<p>treasure</p>']])
})

test('a due refund waits while the books are frozen', async () => {
  const { topicId } = await aSale()
  await sql`select ledger.freeze('a test', null)`.execute(forum.database.app)
  await chief.call(content.removeTopicAsStaff, { topicId, reason })
  await refundDue(forum.database)
  expect(await balancesOf(tom)).toEqual([0, 0])
  await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
  expect(await settled()).toEqual(refunded)
  expect(await forum.database.app.selectFrom('refund_due').selectAll().execute()).toEqual([])
})

test('a purchase during the removal by staff ends with the part or the points, in either order, with two servers refunding', async () => {
  for (let round = 0; round < rounds / 12; round++) {
    mei = await forum.member()
    tom = await forum.member()
    const topicId = await aTopic(mei, tagId, { body: documentWith(hides('points', '30', 'treasure')) })
    const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
    await endow(forum.database, tom.id, 30)
    await Promise.all([
      tom.tryCall(hidden.buyPart, { partId, price: '30' }, newIdempotencyKey()),
      chief.call(content.removeTopicAsStaff, { topicId, reason }),
      refundDue(forum.database),
    ])
    await Promise.all([refundDue(forum.database), refundDue(forum.database)])
    expect([await balancesOf(tom), await balancesOf(mei)]).toEqual([
      [30, 0],
      [0, 0],
    ])
  }
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
})
