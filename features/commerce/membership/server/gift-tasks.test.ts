import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog, ChangedSince } from '#audit/contract.ts'
import type { RawInput } from '#base/contract.ts'
import { addDays } from '#base/server/calendar.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { GiftRoleGone, GiftTaskFinished, GiftTaskUsed } from '#membership/contract.ts'
import { addGiftTask, editGiftTask, gifts, giftTasks, previewGiftTask, removeGiftTask } from '#membership/gift-contract.ts'
import { giveAll } from '#membership/server/give.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aRole, giveRole } from '#tag/testing/factories.ts'

let forum: Forum
let hand: Staffer
let roleId: string
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  hand = await aStaffer(forum, ['membership.manage', 'audit.view'])
})
beforeEach(async () => {
  await forum.database.app.updateTable('membership_gift_task').set({ is_enabled: false }).execute()
  roleId = await aRole(forum.database, ['invite'])
  mei = await forum.member()
})

type Draft = Partial<RawInput<typeof addGiftTask>>

async function aTask(its: Draft = {}): Promise<string> {
  const draft = { name: 'Welcome', roleId, duration: 30, unit: 'day', isEnabled: true, ...its } as const
  return (await hand.call(addGiftTask, draft, newIdempotencyKey())).taskId
}

const editing = { name: 'Welcome', duration: 30, unit: 'day', isEnabled: true } as const
const gives = () => giveAll(forum.database)
/** Clears the time of the last scan. */
const clearScans = () => forum.database.app.updateTable('membership_gift_task').set({ looked_at: null }).execute()

async function daysOf(who: Person): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select round(extract(epoch from upper(during) - clock_timestamp()) / 86400)::int as days from role_holding
    where member_id = ${who.id} and role_id = ${roleId} and during @> clock_timestamp()`.execute(forum.database.app)
  return rows[0]?.days ?? null
}

test('it gives to all members, and to others soon after they register, once each, and notifies them', async () => {
  const taskId = await aTask()
  await Promise.all([gives(), gives()])
  await gives()
  const lin = await forum.member()
  await gives()
  expect([await daysOf(mei), await daysOf(lin)]).toEqual([30, 30])
  await clearScans()
  await gives()
  expect(await daysOf(mei)).toBe(30)
  const notices = (await noticesOf(mei)).filter(({ says }) => says.kind === 'roleGiven')
  expect(notices).toHaveLength(1)
  const { rows } = await hand.call(gifts, { taskId })
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([mei.id, lin.id]))
  const holders = await forum.database.app.selectFrom('role_holding').select('id').where('role_id', '=', roleId).execute()
  const [task] = (await hand.call(giftTasks, {})).tasks
  expect(task).toMatchObject({ id: taskId, state: 'running', given: holders.length, skipped: 0 })
})

test('a role with holders continues from its end, by the calendar; one held for good is left out and noted', async () => {
  const lin = await forum.member()
  await giveRole(forum.database, lin.id, roleId)
  await sql`insert into role_holding (member_id, role_id, during) values (${mei.id}, ${roleId}, tstzrange(now(), now() + interval '5 days'))`.execute(
    forum.database.app,
  )
  const taskId = await aTask({ duration: 1, unit: 'month' })
  expect(await hand.call(previewGiftTask, { roleId, registeredFrom: '2020-01-01' })).toMatchObject({ forGood: 1 })
  await gives()
  const { rows } = await sql<{ isRight: boolean }>`
    select upper(during) = membership_end(lower(during) + interval '5 days', 1, 'month', extract(day from (lower(during) + interval '5 days') at time zone zone)::int, zone)
      as "isRight" from role_holding, (select coalesce((select value #>> '{}' from setting where name = 'timeZone'), 'Asia/Shanghai') as zone) as its
    where member_id = ${mei.id}`.execute(forum.database.app)
  expect(rows).toEqual([{ isRight: true }])
  const got = (await hand.call(gifts, { taskId })).rows
  expect(got.find(({ id }) => id === lin.id)).toMatchObject({ endsAt: null })
  expect((await noticesOf(lin)).filter(({ says }) => says.kind === 'roleGiven')).toEqual([])
})

test('a role that is held again later is extended at its last end', async () => {
  await sql`
    insert into role_holding (member_id, role_id, during) values
      (${mei.id}, ${roleId}, tstzrange(now() - interval '1 day', now() + interval '1 day')),
      (${mei.id}, ${roleId}, tstzrange(now() + interval '9 days', now() + interval '10 days'))`.execute(forum.database.app)
  await aTask()
  await gives()
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from upper(during) - now()) / 86400)::int as days from role_holding
    where member_id = ${mei.id} order by lower(during)`.execute(forum.database.app)
  expect(rows.map(({ days }) => days)).toEqual([1, 40])
})

test('only members within the conditions get it: registered in time, with the points, approved, not banned and not gone', async () => {
  const [rich, banned, disabled, waiting] = await Promise.all([1, 2, 3, 4].map(() => forum.member()))
  if (!rich || !banned || !disabled || !waiting) throw new Error('There are four')
  const { app } = forum.database
  await sql`update member set points_earned = 500 where id in (${rich.id}, ${banned.id}, ${disabled.id}, ${waiting.id})`.execute(app)
  await sql`insert into member_ban (member_id, function, reason, given_by) values (${banned.id}, 'topic', 'Spam', ${hand.id})`.execute(app)
  await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${disabled.id}`.execute(app)
  await sql`insert into registration_request (member_id) values (${waiting.id})`.execute(app)
  const conditions = { minPoints: 500, registeredFrom: '2020-01-01' }
  const seen = await hand.call(previewGiftTask, { roleId, ...conditions })
  expect(seen).toMatchObject({ count: 1, forGood: 0, members: [{ id: rich.id, points: 500, isForGood: false }] })
  expect((await hand.call(previewGiftTask, { roleId, ...conditions, registeredBefore: '2020-01-02' })).count).toBe(0)
  expect(await daysOf(rich)).toBe(null)
  await aTask(conditions)
  await gives()
  expect([await daysOf(rich), await daysOf(banned), await daysOf(disabled), await daysOf(waiting), await daysOf(mei)]).toEqual([
    30,
    null,
    null,
    null,
    null,
  ])
  // Approved and no longer banned, they get it too.
  await sql`update member_ban set lifted_at = now() where member_id = ${banned.id}`.execute(app)
  await clearScans()
  await gives()
  expect(await daysOf(banned)).toBe(30)
  await sql`update member set points_earned = 0`.execute(app)
})

test('a one-time task is finished after its run, and gives to no later member', async () => {
  const taskId = await aTask({ kind: 'once' })
  await gives()
  const lin = await forum.member()
  await gives()
  expect([await daysOf(mei), await daysOf(lin)]).toEqual([30, null])
  const [task] = (await hand.call(giftTasks, {})).tasks
  expect(task).toMatchObject({ state: 'finished' })
  const edit = { ...editing, taskId, version: 1, roleId }
  expect(await hand.isRefused(editGiftTask, edit, GiftTaskFinished)).toBe(true)
})

test('a task gives while it is switched on, in its days', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await aTask({ isEnabled: false })
  await aTask({ startsOn: addDays(today, 2) })
  await aTask({ startsOn: addDays(today, -9), endsOn: addDays(today, -2) })
  await gives()
  expect(await daysOf(mei)).toBe(null)
  const { tasks } = await hand.call(giftTasks, {})
  expect(tasks.slice(0, 3).map(({ state, startsOn, endsOn }) => [state, startsOn, endsOn])).toMatchObject([
    ['over', addDays(today, -9), addDays(today, -2)],
    ['planned', addDays(today, 2), null],
    ['off', expect.any(String), null],
  ])
  await aTask({ startsOn: addDays(today, -1), endsOn: addDays(today, 1), duration: 5, unit: 'hour' })
  await gives()
  expect(await daysOf(mei)).toBe(0)
})

test('pieces go on after each other until all have it', async () => {
  await sql`insert into member (account, account_key) select ${roleId} || 'g' || n, ${roleId} || 'g' || n from generate_series(1, 450) as n`.execute(
    forum.database.app,
  )
  const taskId = await aTask({ kind: 'once' })
  await Promise.all([gives(), gives(), gives()])
  const left = await hand.call(previewGiftTask, { roleId, taskId })
  expect(left.count).toBe(0)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from membership_gift where task_id = ${taskId}`.execute(
    forum.database.app,
  )
  const { rows: holdings } = await sql<{
    count: number
  }>`select count(*)::int as count from role_holding where role_id = ${roleId}`.execute(forum.database.app)
  expect([rows[0]?.count, holdings[0]?.count]).toEqual([rows[0]?.count, rows[0]?.count])
  expect(rows[0]?.count).toBeGreaterThan(450)
})

test('a task is edited by one at a time, removed while unused, and noted', async () => {
  const taskId = await aTask({ isEnabled: false })
  const edit = { ...editing, taskId, roleId, name: 'Spring' }
  await hand.call(editGiftTask, { ...edit, version: 1 })
  expect(await hand.isRefused(editGiftTask, { ...edit, version: 1 }, ChangedSince)).toBe(true)
  await gives()
  expect(await hand.isRefused(removeGiftTask, { taskId }, GiftTaskUsed)).toBe(true)
  const unused = await aTask({ isEnabled: false })
  await hand.call(removeGiftTask, { taskId: unused })
  const actions = (await hand.call(auditLog, {})).rows.map(({ action }) => action)
  expect(actions.slice(0, 4)).toEqual(['giftTask.remove', 'giftTask.add', 'giftTask.edit', 'giftTask.add'])
})

test('setting up gifts takes the right to give the role, and a valid duration', async () => {
  expect((await hand.tryCall(addGiftTask, { name: 'X', roleId: '999999', duration: 1 }, newIdempotencyKey())).error).toHaveProperty(
    GiftRoleGone.field,
  )
  const closed = await aClosedTag(forum.database)
  expect((await hand.tryCall(addGiftTask, { name: 'X', roleId: closed.roleId, duration: 1 }, newIdempotencyKey())).status).toBe(403)
  const wrong = { registeredFrom: '2026-02-01', registeredBefore: '2026-02-01' }
  expect((await hand.tryCall(addGiftTask, { name: 'X', roleId, duration: 1, ...wrong }, newIdempotencyKey())).error).toHaveProperty(
    'registeredBefore',
  )
  const [viewer, task] = [await aStaffer(forum, ['membership.view', 'role.manage']), { taskId: '1' }]
  for (const who of [viewer, mei, forum.visitor()]) {
    const statuses = [
      await who.tryCall(giftTasks, {}),
      await who.tryCall(addGiftTask, { name: 'X', roleId, duration: 1 }, newIdempotencyKey()),
      await who.tryCall(editGiftTask, { ...editing, ...task, roleId, version: 1 }),
      await who.tryCall(removeGiftTask, task),
      await who.tryCall(previewGiftTask, { roleId }),
      await who.tryCall(gifts, task),
    ].map(({ status }) => status)
    expect(statuses.filter((status) => status !== 401 && status !== 403)).toEqual([])
  }
})
