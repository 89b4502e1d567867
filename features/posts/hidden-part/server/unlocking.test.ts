import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { ageLogin } from '#base/testing/session.ts'
import { hasLockWait } from '#base/testing/lock-wait.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#hidden-part/contract.ts'
import { hides, partIds, seenBy } from '#hidden-part/testing/factories.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { ProveAgain, prove } from '#second-factor/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { BooksFrozen, NotEnoughBalance, NotEnoughPoints } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await change({ allowCash: true, hiddenSharePoints: 0, hiddenShareCash: 10 })
})

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function hidden(...parts: Block[]): Promise<{ topicId: string; ids: string[] }> {
  const topicId = await aTopic(mei, tagId, { body: documentWith(paragraph({ type: 'text', text: 'Open.' }), ...parts) })
  return { topicId, ids: partIds((await forum.visitor().call(topic.thread, { topicId })).segments) }
}

const aKey = () => ({ 'idempotency-key': `a-key-for-number-${++keys}` })
const buy = (who: Person, partId: string, price: string) => who.call(contract.buyPart, { partId, price }, aKey())
async function refused(who: Person, partId: string, price: string, kind: { status: number; field: string }): Promise<boolean> {
  const { status, error } = await who.tryCall(contract.buyPart, { partId, price }, aKey())
  return status === kind.status && (status !== 422 || Object.hasOwn(error, kind.field))
}

async function balance(memberId: string, currency: 'points' | 'cny' = 'points'): Promise<number> {
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where name = 'member' and owner_id = ${memberId} and currency = ${currency}`.execute(
    forum.database.app,
  )
  return Number(rows[0]?.balance ?? 0)
}

describe('a password', () => {
  test('opens a part for good, and the wrong one does not', async () => {
    const { topicId, ids } = await hidden(hides('password', '芝麻 open', 'the cave'))
    const partId = ids[0] ?? ''
    expect(await tom.isRefused(contract.unlockPart, { partId, password: 'barley' }, contract.WrongPassword)).toBe(true)
    expect(await seenBy(tom, topicId)).toBe('')
    expect(await tom.call(contract.unlockPart, { partId, password: '芝麻 open' })).toEqual({ partId, isNew: true })
    expect(await seenBy(tom, topicId)).toBe('unlocked: <p>the cave</p>')
    expect(await tom.call(contract.unlockPart, { partId, password: 'barley' })).toEqual({ partId, isNew: false })
  })

  test('may be tried five times a minute and twenty times a day in a topic, right or wrong', async () => {
    const { ids } = await hidden(hides('password', 'sesame', 'one'), hides('password', 'sesame', 'two'))
    const [one = '', two = ''] = ids
    const status = async (partId: string, password: string) => (await tom.tryCall(contract.unlockPart, { partId, password })).status
    const tries = [
      await status(one, 'a'),
      await status(one, 'b'),
      await status(two, 'c'),
      await status(one, 'sesame'),
      await status(two, 'd'),
    ]
    expect(tries).toEqual([422, 422, 422, 200, 422])
    expect(await status(two, 'sesame')).toBe(429)
    const other = await hidden(hides('password', 'sesame', 'elsewhere'))
    expect(await status(other.ids[0] ?? '', 'sesame')).toBe(200)
  })

  test('tried many times at once is counted all the same', async () => {
    const { ids } = await hidden(hides('password', 'sesame', 'one'))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tom.tryCall(contract.unlockPart, { partId: ids[0] ?? '', password: `x${n}` })),
    )
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})

test('a member’s own comment or reply opens a part, until it is removed', async () => {
  const { topicId } = await hidden(hides('comment', '', 'thanks'))
  const commentId = await aComment(tom, topicId)
  expect(await seenBy(tom, topicId)).toBe('spoken: <p>thanks</p>')
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await seenBy(tom, topicId)).toBe('')
  const replyId = await aReply(tom, await aComment(mei, topicId))
  expect(await seenBy(tom, topicId)).toBe('spoken: <p>thanks</p>')
  await tom.call(removeRemark, { kind: 'reply', id: replyId })
  expect(await seenBy(tom, topicId)).toBe('')
})

test('a comment that waits opens nothing', async () => {
  const { topicId } = await hidden(hides('comment', '', 'thanks'))
  await change({ reviewComments: 'everybody' })
  await aComment(tom, topicId)
  await change({ reviewComments: 'nobody' })
  expect(await seenBy(tom, topicId)).toBe('')
})

test('a level opens a part as soon as it is reached, and no sooner', async () => {
  const [, second] = (await mei.call(contract.hiddenForm, {})).levels
  const { topicId } = await hidden(hides('level', second?.needs ?? '', 'wisdom'))
  await endow(forum.database, tom.id, Number(second?.needs) - 1)
  expect(await seenBy(tom, topicId)).toBe('')
  await endow(forum.database, tom.id, 1)
  expect(await seenBy(tom, topicId)).toBe('level: <p>wisdom</p>')
})

describe('a payment', () => {
  test('a part is opened for good, and its author gets the price, less the forum’s share', async () => {
    const { topicId, ids } = await hidden(hides('points', '30', 'treasure'), hides('balance', '1250', 'gold'))
    const [points = '', cash = ''] = ids
    await endow(forum.database, tom.id, 100)
    await endow(forum.database, tom.id, 2000, 'cny')
    const before = await balance(mei.id)
    expect(await buy(tom, points, '30')).toEqual({ partId: points, isNew: true })
    expect(await buy(tom, cash, '1250')).toEqual({ partId: cash, isNew: true })
    expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>\nunlocked: <p>gold</p>')
    expect([await balance(tom.id), await balance(tom.id, 'cny')]).toEqual([70, 750])
    expect([(await balance(mei.id)) - before, await balance(mei.id, 'cny')]).toEqual([30, 1125])
    expect(await buy(tom, points, '30')).toEqual({ partId: points, isNew: false })
    expect(await balance(tom.id)).toBe(70)
  })

  test('a part is not opened with too little, at another price, or by its author', async () => {
    const { topicId, ids } = await hidden(hides('points', '30', 'treasure'), hides('balance', '1250', 'gold'))
    const [points = '', cash = ''] = ids
    await endow(forum.database, tom.id, 29)
    expect(await refused(tom, points, '30', NotEnoughPoints)).toBe(true)
    expect(await refused(tom, cash, '1250', NotEnoughBalance)).toBe(true)
    await endow(forum.database, tom.id, 1000)
    for (const price of ['29', '31', '30.0', '-30', '1e1', '', '0'])
      expect([price, await refused(tom, points, price, contract.PriceChanged)]).toEqual([price, true])
    expect(await refused(mei, points, '30', contract.OwnPart)).toBe(true)
    expect(await balance(tom.id)).toBe(1029)
    expect(await seenBy(tom, topicId)).toBe('')
  })

  test('a part that was edited meanwhile asks anew, and later buyers pay the new price', async () => {
    const { topicId, ids } = await hidden(hides('points', '30', 'treasure'))
    const partId = ids[0] ?? ''
    const bo = await forum.member()
    await Promise.all([tom, bo].map(({ id }) => endow(forum.database, id, 100)))
    await buy(tom, partId, '30')
    const { body, title } = await mei.call(topic.editableTopic, { topicId })
    const dearer = JSON.parse(JSON.stringify(body).replace('"30"', '"40"').replace('treasure', 'more treasure'))
    await mei.call(topic.editTopic, { topicId, title, body: dearer })
    expect(await refused(bo, partId, '30', contract.PriceChanged)).toBe(true)
    await buy(bo, partId, '40')
    expect([await balance(tom.id), await balance(bo.id)]).toEqual([70, 60])
    expect(await seenBy(tom, topicId)).toBe('unlocked: <p>more treasure</p>')
  })

  test('two tabs pay once', async () => {
    for (let round = 0; round < 10; round++) {
      const { ids } = await hidden(hides('points', '30', 'treasure'))
      const who = await forum.member()
      await endow(forum.database, who.id, 100)
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => who.tryCall(contract.buyPart, { partId: ids[0] ?? '', price: '30' }, aKey())),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(answers.filter(({ body }) => body.isNew)).toHaveLength(1)
      expect(await balance(who.id)).toBe(70)
      if (round % 5 === 4) mei = await forum.member()
    }
  })

  test('paying money takes a recent login or proof of identity, paying points does not', async () => {
    const { topicId, ids } = await hidden(hides('points', '30', 'treasure'), hides('balance', '1250', 'gold'))
    const [points = '', cash = ''] = ids
    await endow(forum.database, tom.id, 100)
    await endow(forum.database, tom.id, 2000, 'cny')
    await ageLogin(forum.database, tom)
    await buy(tom, points, '30')
    expect(await refused(tom, cash, '1249', contract.PriceChanged)).toBe(true)
    const key = aKey()
    const request = () =>
      forum.database.app.selectFrom('ledger.transaction').select('request').orderBy('id', 'desc').limit(1).executeTakeFirst()
    expect((await tom.tryCall(contract.buyPart, { partId: cash, price: '1250' }, key)).status).toBe(ProveAgain.status)
    expect(await balance(tom.id, 'cny')).toBe(2000)
    expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
    await tom.call(prove, { password: tom.password })
    expect(await tom.call(contract.buyPart, { partId: cash, price: '1250' }, key)).toEqual({ partId: cash, isNew: true })
    // The ledger records the idempotency key of the call.
    expect(await request()).toEqual({ request: key['idempotency-key'] })
    expect(await balance(tom.id, 'cny')).toBe(750)
    await ageLogin(forum.database, tom)
    expect(await buy(tom, cash, '1250')).toEqual({ partId: cash, isNew: false })
  })

  test('a purchase is refused while the books are frozen, and for money on a site without it', async () => {
    const { ids } = await hidden(hides('points', '30', 'treasure'), hides('balance', '1', 'gold'))
    await endow(forum.database, tom.id, 100)
    await sql`select ledger.freeze('a test', null)`.execute(forum.database.app)
    expect(await refused(tom, ids[0] ?? '', '30', BooksFrozen)).toBe(true)
    await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
    await change({ allowCash: false })
    expect(await refused(tom, ids[1] ?? '', '1', contract.WrongLock)).toBe(true)
    await change({ allowCash: true })
  })
})

test('a purchase waits for a concurrent edit or removal, and follows its outcome', async () => {
  const dearer = { lock: 'points', needs: '40', passwordHash: null, document: documentWith(), segments: [], fileIds: [] } satisfies Omit<
    hiddenPart.Part,
    'id'
  >
  const changes = {
    'another price': (tx, { topicId, partId }) => hiddenPart.save(tx, { topicId }, [{ ...dearer, id: partId }]),
    'taken out': (tx, { topicId }) => hiddenPart.save(tx, { topicId }, []),
    'its topic removed': async (tx, { topicId }) => {
      await hiddenPart.onPostsRemoved(tx, { topicIds: [topicId] }, 'staff')
      await tx.updateTable('topic').set({ status: 'deleted', deleted_by: 'staff' }).where('id', '=', topicId).execute()
    },
  } satisfies Record<string, (tx: Db, its: { topicId: string; partId: string }) => Promise<unknown>>
  await endow(forum.database, tom.id, 100)
  const statuses: Record<string, number> = {}
  for (const [name, change] of Object.entries(changes)) {
    const { topicId, ids } = await hidden(hides('points', '30', 'treasure'))
    const partId = ids[0] ?? ''
    const buying = await transact(forum.database, async (tx) => {
      await change(tx, { topicId, partId })
      const answer = tom.tryCall(contract.buyPart, { partId, price: '30' }, aKey())
      await expect.poll(() => hasLockWait(forum.database)).toBe(true)
      return { answer }
    })
    statuses[name] = (await buying.answer).status
  }
  expect(statuses).toEqual({ 'another price': contract.PriceChanged.status, 'taken out': 404, 'its topic removed': 404 })
  expect(await balance(tom.id)).toBe(100)
})

describe('opening is refused', () => {
  test('to a visitor, for any lock', async () => {
    const visitor = forum.visitor()
    for (const [call, input] of [
      [contract.hiddenForm, {}],
      [contract.myHidden, { topicId: '1' }],
      [contract.unlockPart, { partId: 'h_x', password: 'x' }],
      [contract.buyPart, { partId: 'h_x', price: '1' }],
      [contract.unlocksOfMine, {}],
      [contract.myUnlocks, {}],
    ] as const)
      expect([call.path, (await visitor.tryCall(call, input as never, aKey())).status]).toEqual([call.path, 401])
  })

  test('to a member without access to the topic, for any lock', async () => {
    const few = await aClosedTag(forum.database)
    await few.admit(mei.id)
    const parts = [hides('password', 'sesame', 'x'), hides('points', '5', 'y'), hides('level', '0', 'z')]
    const topicId = await aTopic(mei, few.tagId, { body: documentWith(...parts) })
    const ids = partIds((await mei.call(topic.thread, { topicId })).segments)
    await endow(forum.database, tom.id, 100)
    const statuses = [
      (await tom.tryCall(contract.myHidden, { topicId })).status,
      (await tom.tryCall(contract.unlockPart, { partId: ids[0] ?? '', password: 'sesame' })).status,
      (await tom.tryCall(contract.buyPart, { partId: ids[1] ?? '', price: '5' }, aKey())).status,
      (await tom.tryCall(contract.buyPart, { partId: 'h_nowhere', price: '5' }, aKey())).status,
    ]
    expect(statuses).toEqual([404, 404, 404, 404])
  })

  test('for a removed topic, and for a part that was taken out', async () => {
    const { topicId, ids } = await hidden(hides('points', '5', 'treasure'), hides('points', '6', 'more'))
    await endow(forum.database, tom.id, 100)
    await buy(tom, ids[0] ?? '', '5')
    await mei.call(topic.editTopic, {
      topicId,
      title: 'Without',
      body: documentWith(paragraph({ type: 'text', text: 'Nothing is hidden.' })),
    })
    expect((await tom.tryCall(contract.buyPart, { partId: ids[1] ?? '', price: '6' }, aKey())).status).toBe(404)
    expect(await seenBy(tom, topicId)).toBe('')
    const read = async () => (await tom.call(contract.myUnlocks, {})).unlocks.map(({ isTakenOut, segments }) => [isTakenOut, segments])
    expect(await read()).toEqual([[true, [{ html: '<p>treasure</p>' }]]])
    await mei.call(topic.removeTopic, { topicId })
    expect((await tom.tryCall(contract.buyPart, { partId: ids[1] ?? '', price: '6' }, aKey())).status).toBe(404)
  })

  test('by the means of another lock', async () => {
    const { ids } = await hidden(hides('comment', '', 'x'), hides('password', 'sesame', 'y'), hides('points', '5', 'z'))
    const [comment = '', password = '', points = ''] = ids
    expect(await refused(tom, comment, '0', contract.WrongLock)).toBe(true)
    expect(await refused(tom, password, '0', contract.WrongLock)).toBe(true)
    for (const partId of [comment, points])
      expect(await tom.isRefused(contract.unlockPart, { partId, password: 'sesame' }, contract.WrongLock)).toBe(true)
    expect((await tom.tryCall(contract.buyPart, { partId: points, price: '5' })).status).toBe(400)
  })
})

test('an author sees the unlocks and earnings of their own parts only', async () => {
  const { topicId, ids } = await hidden(hides('points', '30', 'treasure'), hides('balance', '1000', 'gold'))
  await endow(forum.database, tom.id, 100)
  await endow(forum.database, tom.id, 2000, 'cny')
  await buy(tom, ids[0] ?? '', '30')
  await buy(tom, ids[1] ?? '', '1000')
  const { unlocks, earned, total } = await mei.call(contract.unlocksOfMine, {})
  expect(unlocks.map(({ topic: { id }, lock, paid, earned: its, member }) => [id, lock, paid, its, member?.id])).toEqual([
    [topicId, 'balance', '1000', '900', tom.id],
    [topicId, 'points', '30', '30', tom.id],
  ])
  expect([earned, total]).toEqual([{ points: '30', cents: '900' }, 2])
  expect((await tom.call(contract.unlocksOfMine, { topicId })).unlocks).toEqual([])
  expect((await mei.call(contract.myUnlocks, {})).unlocks).toEqual([])
})
