import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ChangedSince } from '#audit/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as membership from '#membership/contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import * as contract from '#membership/staff-contract.ts'
import { MoreThanOwn, RoleSold } from '#role/contract.ts'
import * as role from '#role/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let roleId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  await setCash(true)
})

beforeEach(async () => {
  roleId = await aRole(forum.database, ['invite'])
})

async function setCash(allowCash: boolean): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

let keys = 0
const keyed = () => ({ 'idempotency-key': `a-key-for-stock-${++keys}` })
const draft = (more: Record<string, unknown> = {}) => ({ roleId, nameZh: '银卡', nameEn: 'Silver', isOnSale: true, ...more })
const option = (cardId: string, more: Record<string, unknown> = {}) => ({
  cardId,
  zh: '一月',
  en: 'A month',
  cash: '30.00',
  duration: 1,
  unit: 'month' as const,
  ...more,
})
const visibleCards = async () =>
  (await forum.visitor().call(membership.membershipCardList, {})).cards.filter((card) => card.role.id === roleId)

async function aCardWith(more: Record<string, unknown> = {}): Promise<{ cardId: string; specificationId: string }> {
  const { cardId } = await chief.call(contract.addMembershipCard, draft())
  return { cardId, ...(await chief.call(contract.addSpecification, option(cardId, more))) }
}

async function logOf(cardId: string): Promise<{ action: string; before: unknown; after: unknown }[]> {
  return forum.database.app
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('about', '=', `membershipCard ${cardId}`)
    .orderBy('id')
    .execute()
}

test('staff put a card on sale, and members see it at once as they see each change', async () => {
  const texts = { subtitleZh: '写给常客', bulletsEn: ['A badge', 'More invitations'], bodyEn: '**Bold**' }
  const { cardId } = await chief.call(contract.addMembershipCard, draft(texts))
  expect(await visibleCards()).toEqual([])
  await chief.call(contract.addSpecification, option(cardId, { points: '20', listPrice: '45' }))
  expect(await visibleCards()).toMatchObject([
    {
      name: { en: 'Silver' },
      subtitle: { en: '写给常客' },
      bullets: { zh: ['A badge', 'More invitations'] },
      specifications: [{ price: { cash: '30.00', points: '20' }, listPrice: '45.00' }],
    },
  ])
  const version = (await chief.call(role.roleList, {})).roles.find(({ id }) => id === roleId)?.version ?? 0
  await chief.call(role.editRole, {
    roleId,
    version,
    zh: '贵客',
    en: 'Guest of honour',
    rights: [
      { right: 'message.send', tagId: null },
      { right: 'comment.unreviewed', tagId: null },
    ],
  })
  expect(await visibleCards()).toMatchObject([
    { role: { name: { en: 'Guest of honour' } }, gives: expect.arrayContaining([{ right: 'comment.unreviewed', tag: null }]) },
  ])
  await chief.call(contract.editMembershipCard, { cardId, version: 1, ...draft({ nameEn: 'Gold', isOnSale: false }) })
  expect(await visibleCards()).toEqual([])
  expect((await logOf(cardId)).at(-1)).toMatchObject({
    action: 'membershipCard.edit',
    before: { name_en: 'Silver', is_on_sale: true },
    after: { name_en: 'Gold', is_on_sale: false },
  })
})

test('another’s save meanwhile is not overwritten, neither of a card nor of a specification', async () => {
  const { cardId, specificationId } = await aCardWith()
  await chief.call(contract.editMembershipCard, { cardId, version: 1, ...draft({ nameEn: 'Theirs' }) })
  expect(await chief.isRefused(contract.editMembershipCard, { cardId, version: 1, ...draft() }, ChangedSince)).toBe(true)
  const { cardId: _, ...form } = option(cardId, { points: '5' })
  await chief.call(contract.editSpecification, { specificationId, version: 1, ...form })
  expect(await chief.isRefused(contract.editSpecification, { specificationId, version: 1, ...form }, ChangedSince)).toBe(true)
})

test('a removed card is off sale, its orders stay, and restored it waits off sale', async () => {
  const { cardId, specificationId } = await aCardWith({ cash: undefined, points: '10' })
  const mei = await forum.member()
  await endow(forum.database, mei.id, 10)
  expect((await buys(mei, specificationId, { points: '10' })).status).toBe(200)
  await chief.call(contract.removeMembershipCard, { cardId })
  expect([await visibleCards(), (await mei.call(membership.membershipCardOrderList, {})).total]).toEqual([[], 1])
  expect((await chief.tryCall(contract.editMembershipCard, { cardId, version: 2, ...draft() })).status).toBe(404)
  await chief.call(contract.restoreMembershipCard, { cardId })
  const row = (await chief.call(contract.membershipCardsForStaff, {})).cards.find(({ id }) => id === cardId)
  expect(row).toMatchObject({ isRemoved: false, isOnSale: false, sold: 1, options: 1, prices: { from: { cash: null, points: '10' } } })
  expect((await logOf(cardId)).map(({ action }) => action).slice(-2)).toEqual(['membershipCard.remove', 'membershipCard.restore'])
})

test.each(['-1', '0', '0.00', '0.001', '1e3', '1,000', '１，２', '+1', '1 1', '0x10', 'NaN', '1.1.1', '9999999999999'])(
  '%j is no price',
  async (wrong) => {
    const { cardId } = await chief.call(contract.addMembershipCard, draft())
    expect((await chief.tryCall(contract.addSpecification, option(cardId, { cash: wrong }))).error).toHaveProperty('cash')
    expect((await chief.tryCall(contract.addSpecification, option(cardId, { points: wrong }))).error).toHaveProperty('points')
  },
)

test('a specification costs something, less than its struck price, and lasts no longer than can be bought', async () => {
  const { cardId } = await chief.call(contract.addMembershipCard, draft())
  const wrongIn = async (more: Record<string, unknown>) =>
    Object.keys((await chief.tryCall(contract.addSpecification, option(cardId, more))).error)
  expect(await wrongIn({ cash: undefined })).toEqual(['cash'])
  expect(await wrongIn({ listPrice: '30' })).toEqual(['listPrice'])
  expect(await wrongIn({ cash: undefined, points: '5', listPrice: '30' })).toEqual(['listPrice'])
  expect(await wrongIn({ duration: 0 })).toEqual(['duration'])
  expect(await wrongIn({ duration: 21, unit: 'year' })).toEqual(['duration'])
  expect(await wrongIn({ duration: 241 })).toEqual(['duration'])
  expect(await wrongIn({ duration: 1.5 })).toEqual(['duration'])
  expect(await wrongIn({ duration: 20, unit: 'year' })).toEqual([])
})

test('the longest duration can be bought', async () => {
  for (const unit of membership.units) {
    const { specificationId } = await aCardWith({ cash: undefined, points: '1', duration: contract.maxDuration[unit], unit })
    const mei = await forum.member()
    await endow(forum.database, mei.id, 1)
    expect((await buys(mei, specificationId, { points: '1' })).status).toBe(200)
  }
})

test('an option that changes its duration or role gets another id, and the old id can no longer be bought', async () => {
  const { cardId, specificationId } = await aCardWith({ cash: undefined, points: '1', stock: 5 })
  const people = await Promise.all(Array.from({ length: 2 }, () => forum.member()))
  await Promise.all(people.map(({ id }) => endow(forum.database, id, 5)))
  const [mei, tom] = people
  if (!mei || !tom) throw new Error('Nobody came')
  expect((await buys(mei, specificationId, { points: '1' })).status).toBe(200)
  await chief.call(contract.editSpecification, {
    specificationId,
    version: 1,
    zh: '一天',
    en: 'A day',
    points: '1',
    duration: 1,
    unit: 'day',
  })
  expect((await buys(tom, specificationId, { points: '1' })).status).toBe(membership.NotOnSale.status)
  const second = (await chief.call(contract.membershipCardForStaff, { cardId })).specifications
  expect(second).toMatchObject([{ unit: 'day', left: 4, sold: 0 }])
  const other = await aRole(forum.database, ['invite'])
  await chief.call(contract.editMembershipCard, { cardId, version: 1, ...draft({ roleId: other }) })
  expect((await buys(tom, second[0]?.id ?? '', { points: '1' })).status).toBe(membership.NotOnSale.status)
  const third = (await chief.call(contract.membershipCardForStaff, { cardId })).specifications
  expect((await buys(tom, third[0]?.id ?? '', { points: '1' })).status).toBe(200)
  const { rows } = await sql<{ kept: string; sold: string }>`
    select sum(stock - sold) as kept, sum(sold) as sold from membership_specification where card_id = ${cardId}`.execute(forum.database.app)
  expect(rows).toEqual([{ kept: '3', sold: '2' }])
})

test('stock changes by differences: all that staff and buyers do at once counts', async () => {
  const { cardId, specificationId } = await aCardWith({ cash: undefined, points: '1', stock: 10 })
  const people = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
  await Promise.all(people.map(({ id }) => endow(forum.database, id, 5)))
  const change = (how: 'add' | 'take', units: number) => chief.tryCall(contract.changeStock, { specificationId, how, units }, keyed())
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => change('add', 5)),
    ...Array.from({ length: 4 }, () => change('take', 1)),
    ...people.map((who) => buys(who, specificationId, { points: '1' })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const [row] = (await chief.call(contract.membershipCardForStaff, { cardId })).specifications
  expect(row).toMatchObject({ left: 20, sold: 6 })
})

test('no more is taken than is left, and an unlimited stock has nothing to add to', async () => {
  const { specificationId } = await aCardWith({ stock: 3 })
  const refused = (how: (typeof contract.stockChanges)[number], units: number | undefined, kind: typeof membership.StockSold) =>
    chief.isRefused(contract.changeStock, { specificationId, how, units }, kind, keyed())
  expect(await refused('take', 4, membership.StockSold)).toBe(true)
  expect(await refused('add', contract.maxStock, membership.StockTooLarge)).toBe(true)
  expect(await refused('limit', 4, membership.StockChanged)).toBe(true)
  await chief.call(contract.changeStock, { specificationId, how: 'take', units: 3 }, keyed())
  await chief.call(contract.changeStock, { specificationId, how: 'unlimit' }, keyed())
  expect(await refused('take', 1, membership.StockChanged)).toBe(true)
  expect((await chief.tryCall(contract.changeStock, { specificationId, how: 'limit' }, keyed())).error).toHaveProperty('units')
  await chief.call(contract.changeStock, { specificationId, how: 'limit', units: 7 }, keyed())
  expect(await visibleCards()).toMatchObject([{ specifications: [{ left: 7 }] }])
})

test('limits come and go while members buy, and as many are sold as orders say', async () => {
  const { cardId, specificationId } = await aCardWith({ cash: undefined, points: '1' })
  const people = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
  await Promise.all(people.map(({ id }) => endow(forum.database, id, 5)))
  const bought = people.map((who) => buys(who, specificationId, { points: '1' }))
  const limited = chief.tryCall(contract.changeStock, { specificationId, how: 'limit', units: 2 }, keyed())
  const answers = await Promise.all(bought)
  expect((await limited).status).toBe(200)
  expect(answers.filter(({ status }) => status !== 200 && status !== membership.NotOnSale.status)).toEqual([])
  const [fresh] = (await chief.call(contract.membershipCardForStaff, { cardId })).specifications
  expect(fresh).toMatchObject({ left: 2, sold: 0 })
  expect((await buys(people[0] as Person, fresh?.id ?? '', { points: '1' })).status).toBe(200)
  await chief.call(contract.changeStock, { specificationId: fresh?.id ?? '', how: 'unlimit' }, keyed())
  expect((await buys(people[1] as Person, fresh?.id ?? '', { points: '1' })).status).toBe(200)
  const card = await chief.call(contract.membershipCardForStaff, { cardId })
  expect(card.sold).toBe(answers.filter(({ status }) => status === 200).length + 2)
  expect(card.specifications).toMatchObject([{ left: null, sold: 2 }])
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

test('a card sells no default role, no removed role, and none that the staff member may not give', async () => {
  const { id: everybodys } = await forum.database.app
    .selectFrom('role')
    .select('id')
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
  for (const unfit of [everybodys, '999999'])
    expect(await chief.isRefused(contract.addMembershipCard, draft({ roleId: unfit }), membership.RoleUnfit)).toBe(true)
  const keeper = await aRole(forum.database, ['content.edit.any'])
  const helper = await aStaffer(forum, ['membership.view', 'membership.manage'])
  expect(await helper.isRefused(contract.addMembershipCard, draft({ roleId: keeper }), MoreThanOwn)).toBe(true)
  const { cardId } = await chief.call(contract.addMembershipCard, draft({ roleId: keeper }))
  expect(await helper.isRefused(contract.addSpecification, option(cardId), MoreThanOwn)).toBe(true)
  const { roles } = await helper.call(contract.membershipCardsForStaff, {})
  expect(roles.filter(({ id }) => id === keeper || id === roleId)).toMatchObject(
    [keeper, roleId].toSorted((one, other) => Number(one) - Number(other)).map((id) => ({ id, isMine: id === roleId })),
  )
})

test('a card replaces cards of other roles, and of two cards only one replaces the other', async () => {
  const other = await aRole(forum.database, ['invite'])
  const { cardId: silver } = await chief.call(contract.addMembershipCard, draft())
  const { cardId: twin } = await chief.call(contract.addMembershipCard, draft())
  const { cardId: gold } = await chief.call(contract.addMembershipCard, draft({ roleId: other, replaces: [silver] }))
  const edited = (cardId: string, more: Record<string, unknown>) => ({ cardId, version: 1, ...draft(more) })
  expect(await chief.isRefused(contract.editMembershipCard, edited(silver, { replaces: [twin] }), membership.ReplacesSameRole)).toBe(true)
  expect(await chief.isRefused(contract.editMembershipCard, edited(silver, { replaces: [silver] }), membership.ReplacesSameRole)).toBe(true)
  expect(await chief.isRefused(contract.editMembershipCard, edited(silver, { replaces: [gold] }), membership.ReplacesEachOther)).toBe(true)
  expect(await chief.isRefused(contract.editMembershipCard, edited(silver, { roleId: other }), membership.ReplacesSameRole)).toBe(true)
  const third = await aRole(forum.database, ['invite'])
  const { cardId: jade } = await chief.call(contract.addMembershipCard, draft({ roleId: third }))
  const answers = await Promise.all([
    chief.tryCall(contract.editMembershipCard, edited(jade, { roleId: third, replaces: [twin] })),
    chief.tryCall(contract.editMembershipCard, edited(twin, { replaces: [jade] })),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, membership.ReplacesEachOther.status])
})

test('a role that is sold or given cannot be removed or become a default', async () => {
  const { cardId } = await chief.call(contract.addMembershipCard, draft({ nameEn: 'Jasmine' }))
  for (const attempt of [chief.tryCall(role.removeRole, { roleId, evenIfHeld: true }), chief.tryCall(role.makeRoleDefault, { roleId })]) {
    const { status, response } = await attempt
    expect([status, response.body]).toEqual([RoleSold.status, expect.stringContaining('Jasmine')])
  }
  expect((await chief.call(role.roleList, {})).roles.find(({ id }) => id === roleId)?.cards).toMatchObject([{ id: cardId }])
  await chief.call(contract.removeMembershipCard, { cardId })
  const task = { name: 'Welcome gift', role_id: roleId, kind: 'continuous', duration: 1, unit: 'month' } as const
  const { id: taskId } = await forum.database.app.insertInto('membership_gift_task').values(task).returning('id').executeTakeFirstOrThrow()
  expect((await chief.tryCall(role.removeRole, { roleId })).response.body).toContain('Welcome gift')
  await forum.database.app.updateTable('membership_gift_task').set({ is_enabled: false }).where('id', '=', taskId).execute()
  await chief.call(role.removeRole, { roleId })
  expect(await chief.isRefused(contract.restoreMembershipCard, { cardId }, membership.RoleUnfit)).toBe(true)
})

test('a role that is being deleted is not put on sale at the same moment', async () => {
  const roles = await Promise.all(Array.from({ length: 6 }, () => aRole(forum.database, ['invite'])))
  const answers = await Promise.all(
    roles.map((one) =>
      Promise.all([chief.tryCall(role.removeRole, { roleId: one }), chief.tryCall(contract.addMembershipCard, draft({ roleId: one }))]),
    ),
  )
  expect(answers.map(([removed, added]) => [removed.status, added.status].filter((status) => status === 200).length)).toEqual(
    roles.map(() => 1),
  )
})

test('without a balance on the site staff see which options members do not', async () => {
  const { cardId } = await aCardWith()
  await chief.call(contract.addSpecification, option(cardId, { cash: undefined, points: '10' }))
  const unshown = async () => (await chief.call(contract.membershipCardsForStaff, {})).cards.find(({ id }) => id === cardId)?.unshown
  expect(await unshown()).toBe(0)
  await setCash(false)
  expect([await unshown(), (await visibleCards())[0]?.specifications.length]).toEqual([1, 1])
  await setCash(true)
})

test('staff without the right are refused, and staff with the right to view change nothing', async () => {
  const { cardId, specificationId } = await aCardWith()
  const nobody = await aStaffer(forum, ['member.view'])
  const looker = await aStaffer(forum, ['membership.view'])
  const { cardId: _, ...form } = option(cardId)
  const changes = [
    [contract.addMembershipCard, draft()],
    [contract.editMembershipCard, { cardId, version: 1, ...draft() }],
    [contract.removeMembershipCard, { cardId }],
    [contract.restoreMembershipCard, { cardId }],
    [contract.previewCard, { markdown: '' }],
    [contract.addSpecification, option(cardId)],
    [contract.editSpecification, { specificationId, version: 1, ...form }],
    [contract.removeSpecification, { specificationId }],
    [contract.changeStock, { specificationId, how: 'unlimit' }],
  ] as const
  for (const [call, input] of changes) {
    for (const who of [nobody, looker])
      expect([call.path, (await who.tryCall(call, input as never, keyed())).status]).toEqual([call.path, 403])
  }
  for (const [call, input] of [
    [contract.membershipCardsForStaff, {}],
    [contract.membershipCardForStaff, { cardId }],
  ] as const) {
    expect((await nobody.tryCall(call, input as never)).status).toBe(403)
    expect((await looker.tryCall(call, input as never)).status).toBe(200)
  }
})

test('cards that were made straight in the database look the same to staff', async () => {
  const { cardId } = await aCard(forum.database, roleId, [{ points: 5, stock: 2 }, { cents: 100 }])
  const { specifications, prices } = await chief.call(contract.membershipCardForStaff, { cardId })
  expect(specifications).toMatchObject([{ left: 2 }, { left: null }])
  expect(prices).toEqual({ from: { cash: null, points: '5' }, to: { cash: '1.00', points: null } })
})
