import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { membershipQuote } from '#membership/contract.ts'
import { aCard, aCoupon, buys } from '#membership/testing/factories.ts'
import { setMemberRoles } from '#member/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { endow } from '#wallet/testing/factories.ts'

// Concurrent purchases, gifts, upgrades and changes of roles between few members: in any order the ledger is consistent, stock is exact,
// and every refusal is one that a person can act on.
let forum: Forum
let chief: Staffer
let people: Person[]
let specifications: string[]

beforeAll(async () => {
  forum = await aForum()
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  chief = await aStaffer(forum)
  people = await Promise.all(Array.from({ length: 5 }, () => forum.member()))
  const [silver, gold] = [await aRole(forum.database, ['invite']), await aRole(forum.database, ['hidden.points'])]
  const from = await aCard(forum.database, silver, [
    { points: 30, duration: 1 },
    { cents: 100, points: 3, duration: 5, unit: 'day', stock: 40 },
  ])
  const to = await aCard(forum.database, gold, [{ points: 900, cents: 500, stock: 60 }], { name: 'Gold', replaces: [from.cardId] })
  specifications = [...from.ids, ...to.ids]
  await aCoupon(forum.database, 'HALF', 50, { maxUses: 10, usesPerMember: 5 })
  for (const { id } of people) {
    await endow(forum.database, id, 100_000)
    await endow(forum.database, id, 100_000, 'cny')
  }
})

const command = fc.record({
  who: fc.nat({ max: 4 }),
  of: fc.nat({ max: 2 }),
  way: fc.constantFrom('buy', 'buy', 'give', 'upgrade', 'half', 'cut'),
  other: fc.nat({ max: 4 }),
})
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

async function does({ who, of, way, other }: Command): Promise<number> {
  const [person, receiver, specificationId = ''] = [people[who] as Person, people[other] as Person, specifications[of]]
  if (way === 'cut') return (await chief.tryCall(setMemberRoles, { memberId: person.id, roles: [] })).status
  const terms = {
    ...(way === 'give' && { receiver: receiver.account }),
    ...(way === 'upgrade' && { upgrades: true }),
    ...(way === 'half' && { coupon: 'half' }),
  }
  const quote = await person.tryCall(membershipQuote, { specificationId, ...terms })
  if (quote.status !== 200) return quote.status
  const { cash, points } = quote.body.toPay
  return (await buys(person, specificationId, { ...terms, cash: cash ?? '0', points: points ?? '0' })).status
}

test('after any concurrent actions of members and staff the books are right, and no more than the stock is sold', async () => {
  const before = await sum()
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 12, maxLength: 12 }), async (commands) => {
      const statuses = await Promise.all(commands.map(does))
      expect(statuses.filter((status) => ![200, 409, 422, 429].includes(status))).toEqual([])
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  expect(await sum()).toEqual(before)
  const { rows } = await sql<{ orders: number }>`select count(*)::int as orders from membership_order`.execute(forum.database.app)
  expect(rows[0]?.orders).toBeGreaterThan(20)
})

/** The sum over all members and the site's account of memberships. */
async function sum(): Promise<unknown> {
  const { rows } = await sql`
    select entry.currency, sum(amount) from ledger.entry join ledger.account on account.id = account_id where name in ('member', 'membership')
    group by entry.currency order by 1`.execute(forum.database.app)
  return rows
}
