import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { memberView, NothingChecked } from '#member/contract.ts'
import { showRealName } from '#member/name-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { withdrawRealName } from '#real-name/contract.ts'
import { anIdNumber } from '#real-name/testing/factories.ts'
import * as realName from '#real-name/server/real-name.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const { app } = forum.database
const reason = 'The police asked, case 7/12'
const may = ['member.view', 'member.realName']
const [name, number, birthday] = ['欧阳小茶', anIdNumber(), '1990-03-07']
const minor = { number: anIdNumber(`${new Date().getFullYear() - 12}0101`), birthday: `${new Date().getFullYear() - 12}-01-01` }

let mei: Person

beforeEach(async () => {
  await app.deleteFrom('real_name').execute()
  mei = await forum.member()
})

const checked = (who: Person, its = { number, birthday }) =>
  transact(forum.database, (tx) => realName.store(tx, who.id, { document: 'chineseId', name, ...its }, 'webhook'))

test('staff with a reason read the checked name, number and birthday; it is logged, and the member notified', async () => {
  await checked(mei)
  const clerk = await aStaffer(forum, may)
  const { status, body, response } = await clerk.tryCall(showRealName, { memberId: mei.id, reason })
  expect([status, body]).toEqual([200, { document: 'chineseId', name, number, birthday }])
  expect(response.headers['cache-control']).toContain('no-store')
  const actions = await app.selectFrom('audit_log').selectAll().where('account', '=', clerk.account).execute()
  expect(actions.map(({ action, about, reason: why, before, after }) => [action, about, why, before, after])).toEqual([
    ['realName.read', `member ${mei.id}`, reason, null, null],
  ])
  expect((await noticesOf(mei)).map(({ says }) => says)).toEqual([{ kind: 'realNameRead' }])
  await clerk.call(showRealName, { memberId: mei.id, reason: 'The same again' })
  expect(await noticesOf(mei)).toHaveLength(2)
})

test('without a reason staff see only that a member was checked, by whom, when, and whether they are a minor', async () => {
  const clerk = await aStaffer(forum, may)
  const seen = async () => (await clerk.call(memberView, { memberId: mei.id })).realName
  expect(await seen()).toBeNull()
  await checked(mei)
  const its = { document: 'chineseId', checkedBy: 'webhook', checkedAt: expect.any(String) }
  expect(await seen()).toEqual({ ...its, isMinor: false, withdrawnAt: null })
  await checked(mei, minor)
  expect(await seen()).toEqual({ ...its, isMinor: true, withdrawnAt: null })
  await mei.call(withdrawRealName, {})
  expect(await seen()).toEqual({ ...its, isMinor: true, withdrawnAt: expect.any(String) })
  expect(await clerk.isRefused(showRealName, { memberId: mei.id, reason }, NothingChecked)).toBe(true)
})

test('reading takes the right, a reason, the password, and a checked member', async () => {
  const clerk = await aStaffer(forum, may)
  const input = { memberId: mei.id, reason }
  expect(await clerk.isRefused(showRealName, input, NothingChecked)).toBe(true)
  expect((await clerk.tryCall(showRealName, { ...input, memberId: '999999' })).status).toBe(404)
  await checked(mei)
  const other = await aStaffer(forum, ['member.view', 'member.edit', 'member.access', 'audit.view'])
  const all = [
    await forum.visitor().tryCall(showRealName, input),
    await mei.tryCall(showRealName, input),
    await other.tryCall(showRealName, input),
  ]
  expect(all.map(({ status }) => status)).toEqual([401, 401, 403])
  for (const blank of [undefined, '', '  ', ' \u200b', '\n'])
    expect(await clerk.tryCall(showRealName, { memberId: mei.id, reason: blank } as typeof input)).toMatchObject({
      status: 422,
      error: { reason: expect.stringMatching(/\w/) },
    })
  await app
    .updateTable('staff_session')
    .set({ proved_at: new Date(Date.now() - 11 * 60_000) })
    .where('staff_id', '=', clerk.id)
    .execute()
  expect((await clerk.tryCall(showRealName, input)).status).toBe(428)
  expect(await noticesOf(mei)).toEqual([])
  expect(
    await app.selectFrom('audit_log').select('id').where('action', '=', 'realName.read').where('account', '=', other.account).execute(),
  ).toEqual([])
})

test('a shown name is stored nowhere else: in no log, in no cached answer, nowhere in the database in clear', async () => {
  await checked(mei)
  const chief = await aStaffer(forum)
  const key = newIdempotencyKey()
  await chief.call(showRealName, { memberId: mei.id, reason }, key)
  const again = await chief.tryCall(showRealName, { memberId: mei.id, reason }, key)
  expect(again.status).toBe(409)
  const responses = [again.response.body, (await chief.tryCall(auditLog, {})).response.body, JSON.stringify(await noticesOf(mei))].join()
  expect(responses).toContain('realName.read')
  for (const part of [name, number]) {
    expect(responses).not.toContain(part)
    expect(await placesOf(part)).toEqual([])
  }
})

/** The tables that contain this, as text or as bytes. */
async function placesOf(part: string): Promise<string[]> {
  const { rows } = await sql<{ schema: string; table: string }>`
    select table_schema as schema, table_name as table from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')`.execute(app)
  expect(rows.length).toBeGreaterThan(60)
  const found: string[] = []
  for (const { schema, table } of rows) {
    const says = (text: string) => sql`row::text ilike ${`%${text}%`}`
    const { rows: matches } = await sql`
      select from ${sql.table(`${schema}.${table}`)} as row
      where ${says(part)} or ${says(Buffer.from(part).toString('hex'))}`.execute(app)
    if (matches.length > 0) found.push(table)
  }
  return found
}
