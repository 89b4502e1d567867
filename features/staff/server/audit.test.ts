import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import * as audit from '#audit/server/audit.ts'
import { transact } from '#base/server/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer } from '#staff/server/example.ts'

const note = (database: Parameters<typeof transact>[0], deed: audit.Deed) => transact(database, (tx) => audit.noteOperator(tx, deed))

test('what staff did stands in the log with who, from where, and how it was before and after', async () => {
  const forum = await aForum()
  const chief = await (await aStaffer(forum)).signIn()
  const { roleId } = await chief.call(contract.addStaffRole, { zh: '帮手', en: 'Helper', rights: ['member.view'] })
  await chief.call(contract.editStaffRole, { roleId, zh: '帮手', en: 'Aide', rights: [] })
  const { rows: deeds } = await chief.call(auditLog, { about: `staffRole ${roleId}` })
  expect(deeds).toMatchObject([
    {
      deed: 'staffRole.edit',
      account: chief.account,
      ip: chief.ip,
      before: { en: 'Helper', rights: ['member.view'] },
      after: { en: 'Aide' },
      called: { zh: '帮手', en: 'Aide' },
    },
    { deed: 'staffRole.add', staffId: chief.id, before: null },
  ])
  expect((await chief.call(auditLog, { deed: 'staff.signIn' })).rows).toHaveLength(1)
  const { staffId } = await chief.call(contract.addStaff, { account: 'clerk', roleIds: [roleId] })
  const [added] = (await chief.call(auditLog, { about: `staff ${staffId}` })).rows
  expect(added).toMatchObject({ named: [{ about: `staffRole ${roleId}`, zh: '帮手', en: 'Aide' }] })
  const ofStaff = (await chief.call(auditLog, { deed: 'staff' })).rows.map(({ deed }) => deed)
  expect(new Set(ofStaff.map((deed) => deed.split('.')[0]))).toEqual(new Set(['staff']))
  expect((await chief.call(auditLog, { until: '2020-01-01T00:00:00Z' })).rows).toEqual([])
  expect(JSON.stringify(deeds)).not.toContain(chief.password)
})

test('a log of any deeds, noted at once, reads again as it was noted', async () => {
  const { database, close } = await freshDatabase()
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown)
  const deed = fc.record({ deed: fc.constantFrom('topic.remove', 'setting.change'), before: json, after: json })
  const deeds = fc.sample(deed, 60)
  await Promise.all(deeds.map((one) => note(database, one)))
  expect(await audit.verify(database.reader)).toEqual({ deeds: 60, brokenAt: null })
  await close()
})

test.each([
  ['changed', `update staff_deed set reason = 'another' where id = 3`, '3'],
  ['taken out', 'delete from staff_deed where id = 3', '3'],
  ['taken off the end', 'delete from staff_deed where id = 5', '5'],
])('a deed that was %s is found', async (_, tampering, brokenAt) => {
  const { database, ownerUrl, close } = await freshDatabase()
  for (let n = 1; n <= 5; n++) await note(database, { deed: 'topic.remove', about: `topic ${n}`, reason: 'spam' })
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await expect(owner.query(tampering)).rejects.toThrow('cannot be changed')
  await owner.query(`alter table staff_deed disable trigger staff_deed_stays; ${tampering}`)
  expect(await audit.verify(database.reader)).toMatchObject({ brokenAt })
  await owner.end()
  await close()
})

test('the program itself cannot change what it noted', async () => {
  const { database, close } = await freshDatabase()
  await note(database, { deed: 'topic.remove' })
  await expect(database.app.deleteFrom('staff_deed').execute()).rejects.toThrow('permission denied')
  await expect(database.app.updateTable('staff_deed').set({ reason: 'x' }).execute()).rejects.toThrow('permission denied')
  await close()
})
