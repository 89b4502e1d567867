import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { notifyOfEndingRoles } from '#notification/server/roles-ending.ts'
import * as role from '#role/server/role.ts'
import { aRole } from '#tag/testing/factories.ts'

let forum: Forum
let mei: Person
let roleId: string

beforeAll(async () => {
  forum = await aForum()
})
beforeEach(async () => {
  mei = await forum.member()
  roleId = await aRole(forum.database, ['post.like'])
})

/** A role held since so many hours ago, for so many hours from now. */
async function holds(ago: number, ahead: number, its = roleId): Promise<void> {
  await sql`
    insert into role_holding (member_id, role_id, during)
    values (${mei.id}, ${its}, tstzrange(now() - make_interval(hours => ${ago}), now() + make_interval(hours => ${ahead})))`.execute(
    forum.database.app,
  )
}

async function passes(hours: number): Promise<void> {
  const back = sql`make_interval(hours => ${hours})`
  await sql`
    update role_holding set during = tstzrange(lower(during) - ${back}, upper(during) - ${back}), told_of_end = told_of_end - ${back} where member_id = ${mei.id}`.execute(
    forum.database.app,
  )
}

async function roleNotices(): Promise<string[]> {
  await Promise.all([1, 2].map(() => transact(forum.database, notifyOfEndingRoles)))
  const notices = await noticesOf(mei)
  return notices.map(({ says }) => says.kind).filter((kind) => kind.startsWith('role'))
}

test('the end of a role is notified seven days before, one day before, and when it comes, each once', async () => {
  await holds(24 * 30, 24 * 8)
  expect(await roleNotices()).toEqual([])
  await passes(24)
  expect([await roleNotices(), await roleNotices()]).toEqual([['roleEnding'], ['roleEnding']])
  await passes(24 * 5)
  expect(await roleNotices()).toHaveLength(1)
  await passes(24)
  expect([await roleNotices(), (await roleNotices()).length]).toEqual([['roleEnding', 'roleEnding'], 2])
  await passes(24)
  expect([await roleNotices(), (await roleNotices()).length]).toEqual([['roleEnded', 'roleEnding', 'roleEnding'], 3])
})

test('a role shorter than the lead is notified later, or only at its end', async () => {
  await holds(1, 5)
  expect(await roleNotices()).toEqual([])
  await passes(5)
  expect(await roleNotices()).toEqual(['roleEnded'])
  const three = await aRole(forum.database, ['post.like'])
  await holds(24, 48, three)
  expect(await roleNotices()).toHaveLength(1)
  await passes(24)
  expect(await roleNotices()).toEqual(['roleEnding', 'roleEnded'])
})

test('a role that continues sends no notice', async () => {
  await holds(24 * 30, 0)
  await sql`insert into role_holding (member_id, role_id, during) values (${mei.id}, ${roleId}, tstzrange(now(), null))`.execute(
    forum.database.app,
  )
  const bought = await aRole(forum.database, ['post.like'])
  await holds(24 * 30, 20, bought)
  await sql`
    insert into role_holding (member_id, role_id, during)
    select member_id, role_id, tstzrange(upper(during), upper(during) + interval '30 days') from role_holding where role_id = ${bought}`.execute(
    forum.database.app,
  )
  expect(await roleNotices()).toEqual([])
})

test('a role extended after its notice is notified again before its new end', async () => {
  await holds(24 * 30, 20)
  expect(await roleNotices()).toHaveLength(1)
  await transact(forum.database, (tx) => role.prolong(tx, mei.id, roleId, 86_400 * 30))
  expect(await roleNotices()).toHaveLength(1)
  await passes(24 * 24)
  expect(await roleNotices()).toHaveLength(2)
})

test('a role taken away by staff sends no notice of its end', async () => {
  await holds(24 * 30, 24 * 10)
  await transact(forum.database, (tx) => role.setRoles(tx, mei.id, []))
  const refunded = await aRole(forum.database, ['post.like'])
  await holds(24 * 30, 24 * 10, refunded)
  await transact(forum.database, (tx) => role.shorten(tx, mei.id, refunded, 86_400 * 10))
  expect(await roleNotices()).toEqual([])
})

test('an end of long ago, and a role without an end, are not told', async () => {
  await holds(24 * 30, -24 * 4)
  await sql`insert into role_holding (member_id, role_id, during) values (${mei.id}, ${roleId}, tstzrange(now(), 'infinity'))`.execute(
    forum.database.app,
  )
  expect(await roleNotices()).toEqual([])
})
