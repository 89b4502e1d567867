import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { runs } from '#base/testing/extent.ts'
import * as contract from '#wallet/contract.ts'
import { aMemberRow, freeKinds } from '#wallet/testing/factories.ts'
import { post as postLines } from '#wallet/server/post.ts'
import * as wallet from '#wallet/server/wallet.ts'

// Random actions of three members, each mirrored by a small model.
type Purse = { balance: bigint; owed: bigint; earned: bigint; cents: bigint }
type Action = {
  does: 'pay' | 'give' | 'take' | 'hold' | 'draw' | 'release' | 'giveBack' | 'reverse' | 'order' | 'again'
  who: number
  whom: number
  amount: number
}

let store: TestDatabase
beforeAll(async () => {
  store = await freshDatabase()
})
afterAll(() => store.close())

const actionOf = fc.record<Action>({
  does: fc.constantFrom('pay', 'give', 'give', 'take', 'hold', 'draw', 'release', 'giveBack', 'reverse', 'order', 'again'),
  who: fc.nat(2),
  whom: fc.nat(2),
  amount: fc.integer({ min: 1, max: 60 }),
})

let sources = 0

class World {
  readonly purses: Purse[] = [0, 1, 2].map(() => ({ balance: 0n, owed: 0n, earned: 0n, cents: 0n }))
  readonly ids: string[]
  readonly holds: { id: string; who: number; amount: bigint }[] = []
  readonly paid: { id: string; who: number; whom: number; amount: bigint }[] = []
  last: (() => Promise<wallet.Posted>) | null = null
  constructor(ids: string[]) {
    this.ids = ids
  }
  plus(who: number, amount: bigint): void {
    const purse = this.purse(who)
    const pays = amount < purse.owed ? amount : purse.owed
    purse.owed -= pays
    purse.balance += amount - pays
  }
  minus(who: number, amount: bigint): void {
    const purse = this.purse(who)
    const takes = amount < purse.balance ? amount : purse.balance
    purse.balance -= takes
    purse.owed += amount - takes
  }
  purse(who: number): Purse {
    const purse = this.purses[who]
    if (!purse) throw new Error(`There is nobody ${who}`)
    return purse
  }
}

async function act(world: World, { does, who, whom, amount: number }: Action): Promise<void> {
  const amount = contract.toMinor(number)
  const cause = { source: `model:${++sources}`, by: { kind: 'forum' } } as const
  const [from = '', to = ''] = [world.ids[who], world.ids[whom]]
  const money = { currency: 'points', amount } as const
  const post = (action: Parameters<typeof transact<wallet.Posted>>[1]) => {
    world.last = () => transact(store.database, action)
    return world.last()
  }
  const mine = world.purse(who)
  const lacks = mine.owed > 0n ? contract.OwesPoints : contract.NotEnoughPoints
  const refused = (action: Promise<unknown>, kind: unknown = lacks) => expect(action).rejects.toMatchObject({ kind })
  if (does === 'pay') {
    if (who === whom) return
    const action = post((tx) => wallet.pay(tx, { ...cause, ...money, kind: freeKinds.payment, from, to }))
    if (mine.balance < amount) return refused(action)
    world.paid.push({ id: (await action).id, who, whom, amount })
    mine.balance -= amount
    world.plus(whom, amount)
  } else if (does === 'order') {
    // Prices in points and in cents. The cents come only from the points of the same member, so the transaction fails as a whole or moves
    // both.
    const cents = amount / 2n
    const action = post((tx) =>
      postLines(tx, {
        ...cause,
        kind: freeKinds.payment,
        lines: [
          { name: 'member', owner: from, currency: 'points', amount: 0n - amount },
          { name: 'membership', currency: 'points', amount },
          { name: 'member', owner: from, currency: 'cny', amount: 0n - cents },
          { name: 'membership', currency: 'cny', amount: cents },
        ],
      }),
    )
    if (mine.balance < amount) return refused(action)
    if (mine.cents < cents) return refused(action, contract.NotEnoughBalance)
    await action
    mine.balance -= amount
    mine.cents -= cents
  } else if (does === 'give') {
    await post((tx) => wallet.credit(tx, { ...cause, ...money, kind: freeKinds.gift, account: 'adjustment', to: from }))
    world.plus(who, amount)
    mine.earned += amount
    const cash = {
      ...cause,
      source: `${cause.source}:cash`,
      kind: freeKinds.gift,
      currency: 'cny',
      amount,
      account: 'adjustment',
      to: from,
    } as const
    await transact(store.database, (tx) => wallet.credit(tx, { ...cash, origin: 'given' }))
    mine.cents += amount
  } else if (does === 'take') {
    await post((tx) => wallet.debit(tx, { ...cause, ...money, kind: freeKinds.gift, account: 'adjustment', from, owes: true }))
    world.minus(who, amount)
    mine.earned -= amount
  } else if (does === 'hold') {
    const action = transact(store.database, (tx) => wallet.hold(tx, { ...cause, ...money, kind: freeKinds.hold, from }))
    if (mine.balance < amount) return refused(action)
    world.holds.push({ id: await action, who, amount })
    mine.balance -= amount
  } else if (does === 'again') {
    const again = await world.last?.().catch(() => null)
    if (again?.isNew) throw new Error('It was done twice')
  } else await resolve(world, does, whom)
}

async function resolve(world: World, does: Action['does'], whom: number): Promise<void> {
  const cause = { source: `model:${++sources}`, by: { kind: 'forum' } } as const
  if (does === 'reverse') {
    const before = world.paid.pop()
    if (!before) return
    await transact(store.database, (tx) => wallet.reverse(tx, before.id, { by: { kind: 'forum' } }))
    world.minus(before.whom, before.amount)
    world.plus(before.who, before.amount)
    return
  }
  const hold = world.holds.pop()
  if (!hold) return
  if (does === 'draw') {
    const amount = contract.toMinor((hold.amount + 2n) / 3n)
    const draws = { ...cause, kind: freeKinds.release, pays: [{ to: world.ids[whom] ?? '', amount }] }
    await transact(store.database, (tx) => wallet.draw(tx, hold.id, draws))
    world.plus(whom, amount)
    if (hold.amount > amount) world.holds.push({ ...hold, amount: hold.amount - amount })
    return
  }
  const pays = does === 'release' ? [{ to: world.ids[whom] ?? '', amount: contract.toMinor((hold.amount + 1n) / 2n) }] : []
  const kind = freeKinds.release
  await transact(store.database, (tx) => wallet.release(tx, hold.id, { ...cause, kind, pays }))
  const paid = pays[0]?.amount ?? 0n
  world.plus(whom, paid)
  world.plus(hold.who, hold.amount - paid)
}

test('after any actions the books equal a model of a few lines, and are right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actionOf, { minLength: 10, maxLength: 40 }), async (actions) => {
      const world = new World([0, 1, 2].map(() => ''))
      for (const place of [0, 1, 2]) world.ids[place] = await aMemberRow(store.database)
      for (const action of actions) await act(world, action)
      for (const [place, id] of world.ids.entries()) {
        const { points, cny } = await wallet.accountsOf(store.database.reader, id)
        const { points_earned } = await store.database.reader
          .selectFrom('member')
          .select('points_earned')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        expect({ balance: points.balance, owed: points.owed, earned: BigInt(points_earned), cents: cny.balance }).toEqual(
          world.purses[place],
        )
      }
      expect(await wallet.breachesIn(store.database, wallet.ledgerChecks, null)).toEqual([])
    }),
    { numRuns: runs(12), endOnFailure: true },
  )
})
