import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import * as audit from '#audit/server/audit.ts'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#staff/contract.ts'
import { addStaffRole, editStaffRole } from '#staff/right-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const note = (database: Parameters<typeof transact>[0], action: audit.AuditEntry) =>
  transact(database, (tx) => audit.noteOperator(tx, action))

test('an action of staff is in the log with actor, address, and the values before and after', async () => {
  const forum = await aForum()
  const chief = await (await aStaffer(forum)).signIn()
  const { roleId } = await chief.call(addStaffRole, { zh: '帮手', en: 'Helper', rights: ['member.view'] })
  await chief.call(editStaffRole, { roleId, zh: '帮手', en: 'Aide', rights: [] })
  const { rows: actions } = await chief.call(auditLog, { about: `staffRole ${roleId}` })
  expect(actions).toMatchObject([
    {
      action: 'staffRole.edit',
      account: chief.account,
      ip: chief.ip,
      before: { en: 'Helper', rights: ['member.view'] },
      after: { en: 'Aide' },
      called: { zh: '帮手', en: 'Aide' },
    },
    { action: 'staffRole.add', staffId: chief.id, before: null },
  ])
  expect((await chief.call(auditLog, { action: 'staff.signIn' })).rows).toHaveLength(1)
  const { staffId } = await chief.call(contract.addStaff, { account: 'clerk', roleIds: [roleId] })
  const [added] = (await chief.call(auditLog, { about: `staff ${staffId}` })).rows
  expect(added).toMatchObject({ named: [{ about: `staffRole ${roleId}`, zh: '帮手', en: 'Aide' }] })
  const ofStaff = (await chief.call(auditLog, { action: 'staff' })).rows.map(({ action }) => action)
  expect(new Set(ofStaff.map((action) => action.split('.')[0]))).toEqual(new Set(['staff']))
  expect((await chief.call(auditLog, { until: '2020-01-01T00:00:00Z' })).rows).toEqual([])
  expect(JSON.stringify(actions)).not.toContain(chief.password)
})

test('a log of any actions, noted at once, reads again as it was noted', async () => {
  const { database, close } = await freshDatabase()
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown)
  const action = fc.record({ action: fc.constantFrom('topic.remove', 'setting.change'), before: json, after: json })
  const seed = randomInt(2 ** 31)
  const actions = fc.sample(action, { seed, numRuns: 60 }).map((one, at) => ({ ...one, about: `topic ${at}` }))
  await Promise.all(actions.map((one) => note(database, one)))
  const verdict = await audit.verify(database.reader)
  const broken = await sql<{
    row: string
  }>`select row_to_json(audit_log)::text as row from audit_log where id = ${verdict.brokenAt}`.execute(database.reader)
  expect(verdict, `seed ${seed}, ${broken.rows[0]?.row}`).toEqual({ entries: 60, brokenAt: null })
  const { rows: others } = await sql`
    select to_jsonb(noted) as noted, to_jsonb(audit_log) as row
    from jsonb_to_recordset(${JSON.stringify(actions)}) as noted (action text, about text, before jsonb, after jsonb) left join audit_log using (about)
    where (noted.action, noted.before, noted.after) is distinct from (audit_log.action, audit_log.before, audit_log.after)`.execute(
    database.reader,
  )
  expect(others, `seed ${seed}`).toEqual([])
  await close()
})

// V8 confuses a key that contains an escape with a key of an earlier object that has the same start.
test('a log is whole though JavaScript reads a key of its rows as another one', async () => {
  const { database, close } = await freshDatabase()
  for (const key of ['\\n', '\nx']) await note(database, { action: 'setting.change', after: { a: 1, [key]: 1 } })
  expect(await audit.verify(database.reader)).toEqual({ entries: 2, brokenAt: null })
  await close()
})

test('a log is valid even with rows that no program could write again as they were', async () => {
  const { database, close } = await freshDatabase()
  const entries = '[{ "action": "setting.change", "before": 12345678901234567890.50, "after": { "b": 1e-400, "a": [1.10, null] } }]'
  await sql`select append_audit(null, 'operator', '', ${entries})`.execute(database.app)
  await transact(database, (tx) => audit.noteOperator(tx, { action: 'topic.remove', before: -0, after: 5e-324 }))
  expect(await audit.verify(database.reader)).toEqual({ entries: 2, brokenAt: null })
  await close()
})

test('a log is read in pieces, of which each goes on from the one before it', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  await sql`
    select append_audit(null, 'operator', '', jsonb_agg(jsonb_build_object('action', 'topic.remove', 'about', 'topic ' || n)))
    from generate_series(1, 10500) as n`.execute(database.app)
  expect(await audit.verify(database.reader)).toEqual({ entries: 10_500, brokenAt: null })
  await tamperWith(ownerUrl, `update audit_log set reason = 'another' where id = 10001`)
  expect(await audit.verify(database.reader)).toEqual({ entries: 10_000, brokenAt: '10001' })
  await close()
})

test.each([
  ['changed', `update audit_log set reason = 'another' where id = 3`, '3'],
  ['taken out', 'delete from audit_log where id = 3', '3'],
  ['taken out with all before it', 'delete from audit_log where id <= 3', '1'],
  ['taken off the end', 'delete from audit_log where id = 5', '5'],
  ['taken off with all after it', 'delete from audit_log where id > 2', '3'],
  ['taken out with all others', 'truncate audit_log', '1'],
])('an action that was %s is found', async (_, tampering, brokenAt) => {
  const { database, ownerUrl, close } = await freshDatabase()
  for (let n = 1; n <= 5; n++) await note(database, { action: 'topic.remove', about: `topic ${n}`, reason: 'spam' })
  await expect(asOwner(ownerUrl, tampering)).rejects.toThrow('cannot be changed')
  await tamperWith(ownerUrl, tampering)
  expect(await audit.verify(database.reader)).toEqual({ entries: Number(brokenAt) - 1, brokenAt })
  await close()
})

test('the program can neither change entries nor add one past the chain', async () => {
  const { database, close } = await freshDatabase()
  await note(database, { action: 'topic.remove' })
  const row = { id: '2', at: new Date(), account: 'operator', ip: '', action: 'topic.remove', hash: Buffer.alloc(32) }
  for (const query of [
    database.app.deleteFrom('audit_log'),
    database.app.updateTable('audit_log').set({ reason: 'x' }),
    database.app.insertInto('audit_log').values(row),
    database.app.updateTable('audit_log_head').set({ id: '0' }),
  ])
    await expect(query.execute()).rejects.toThrow('permission denied')
  await close()
})

function tamperWith(ownerUrl: string, tampering: string): Promise<void> {
  return asOwner(ownerUrl, `alter table audit_log disable trigger audit_log_is_append_only; ${tampering}`)
}

async function asOwner(ownerUrl: string, text: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query(text)
  } finally {
    await owner.end()
  }
}
