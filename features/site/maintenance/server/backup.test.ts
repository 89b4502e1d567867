import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { maintenanceTools } from '#apps/server/maintenance.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contract from '#maintenance/contract.ts'
import { jobGround, workDone } from '#maintenance/testing/factories.ts'
import { tick } from '#maintenance/server/jobs.ts'
import { actionsWith } from '#maintenance/server/tools.ts'
import { enqueue, runTask, type Actions } from '#maintenance/server/work.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer
let actions: Actions

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  actions = actionsWith(maintenanceTools({ config: { dataDir: forum.dataDir, store: null }, ownerUrl: forum.ownerUrl }))
  mkdirSync(join(forum.dataDir, 'files', 'ab'), { recursive: true })
  writeFileSync(join(forum.dataDir, 'files', 'ab', 'f_one.webp'), 'a picture')
  await forum.member('mei')
  // No scheduled backup may start because of the hour at which the test runs.
  await plan({ backupDays: 0 })
})

async function plan(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const listed = () => chief.call(contract.backupList, {})

async function makeBackup(): Promise<string> {
  await chief.call(contract.makeBackup, {})
  await workDone(forum, actions)
  const { works } = await listed()
  return works[0]?.about ?? ''
}

async function names(): Promise<string[]> {
  return (await listed()).backups.map(({ name }) => name)
}

test('a backup is asked for once at a time, written by the job, and listed with its author', async () => {
  expect(await chief.call(contract.makeBackup, {})).toMatchObject({ state: 'waiting', by: chief.account })
  expect(await chief.isRefused(contract.makeBackup, {}, contract.AlreadyAtIt)).toBe(true)
  await workDone(forum, actions)
  const { backups, works } = await listed()
  expect(works).toMatchObject([{ kind: 'backup', state: 'done', step: null, problem: null }])
  expect(backups).toMatchObject([{ name: works[0]?.about, by: chief.account, files: 1, rehearsal: null }])
  expect(backups[0]?.rows).toBeGreaterThan(10)
  expect(backups[0]?.bytes).toBeGreaterThan(1_000)
})

test('a rehearsal restores it beside the forum, reports its findings, and leaves no database behind', async () => {
  const [name = ''] = await names()
  await chief.call(contract.rehearseRestore, { name })
  await workDone(forum, actions)
  const { rehearsal } = (await listed()).backups[0] ?? {}
  expect(rehearsal).toMatchObject({
    state: 'done',
    findings: { members: 2, missing: 0, pending: 0, differ: [], brokenAt: null, breaches: 0 },
  })
  expect(rehearsal?.findings?.entries).toBeGreaterThan(0)
  expect(await databasesBeside()).toEqual([])
})

test('a rehearsal of a damaged backup fails in words that name the file, and the forum is as it was', async () => {
  const name = await makeBackup()
  truncateSync(join(forum.dataDir, 'backups', name, 'tables', 'member.gz'), 3)
  await chief.call(contract.rehearseRestore, { name })
  await workDone(forum, actions)
  expect((await listed()).backups[0]?.rehearsal).toMatchObject({ state: 'failed', problem: 'damaged', detail: 'tables/member.gz' })
  expect(await databasesBeside()).toEqual([])
  await chief.call(contract.removeBackup, { name })
})

test('a backup is downloaded as one file by an administrator with a proof of the password, and by no one else', async () => {
  const [name = ''] = await names()
  const { address } = await chief.call(contract.openBackup, { name })
  const fetched = (who: Staffer, url: string) => forum.app.inject({ url, remoteAddress: who.ip, headers: who.headers('GET') })
  const answer = await fetched(chief, address)
  expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(answer.rawPayload.length)])
  const entries = execFileSync('tar', ['-tf', '-'], { input: answer.rawPayload }).toString().split('\n')
  expect(entries).toEqual(expect.arrayContaining([`${name}/manifest.json`, `${name}/tables/member.gz`, `${name}/files/ab/f_one.webp`]))

  const other = await aStaffer(forum)
  const keeper = await aStaffer(forum, ['site.backup'])
  const bare = await aStaffer(forum, [])
  expect((await fetched(other, address)).statusCode).toBe(404)
  expect((await keeper.tryCall(contract.openBackup, { name })).status).toBe(403)
  expect((await keeper.call(contract.backupList, {})).mayDownload).toBe(false)
  expect([(await fetched(keeper, address)).statusCode, (await fetched(bare, address)).statusCode]).toEqual([403, 403])
  expect((await forum.app.inject({ url: address })).statusCode).toBe(401)
  expect((await fetched(chief, address.replace(/until=\d/, 'until=9'))).statusCode).toBe(404)
  const { rows } = await chief.call(auditLog, { action: 'backup.open' })
  expect(rows).toMatchObject([{ account: chief.account, about: `backup ${name}` }])
})

test('a deleted backup is gone at once, and its size with the next sweep', async () => {
  const name = await makeBackup()
  await chief.call(contract.removeBackup, { name })
  expect(await names()).not.toContain(name)
  expect((await chief.tryCall(contract.removeBackup, { name })).status).toBe(404)
  expect((await chief.tryCall(contract.rehearseRestore, { name: 'a-name-nobody-knows' })).status).toBe(404)
  expect((await chief.tryCall(contract.openBackup, { name: '../files' })).status).toBe(422)
  await tick(jobGround(forum))
  expect(readdirSync(join(forum.dataDir, 'backups')).filter((entry) => entry.includes('removed'))).toEqual([])
})

test('work that died half-way is taken up again, by one alone, and given up when it dies each time', async () => {
  const queued = await transact(forum.database, (tx) => enqueue(tx, 'backup', { by: 'mei' }))
  await forum.database.app.updateTable('maintenance_task').set({ state: 'running', tries: 1 }).where('id', '=', queued.id).execute()
  let times = 0
  const counting: Actions = { ...actions, backup: (...all) => (times++, actions.backup(...all)) }
  const both = [1, 2].map(() => runTask(jobGround(forum), queued.id, counting))
  await Promise.all(both)
  expect([times, (await listed()).works[0]]).toMatchObject([1, { id: queued.id, state: 'done' }])

  const doomed = await transact(forum.database, (tx) => enqueue(tx, 'backup', { by: 'mei' }))
  await forum.database.app.updateTable('maintenance_task').set({ state: 'running', tries: 3 }).where('id', '=', doomed.id).execute()
  await workDone(forum, actions)
  expect((await listed()).works[0]).toMatchObject({ id: doomed.id, state: 'failed', problem: 'gaveUp' })
})

test('backups come by themselves when they are due, and the newest of them stay', async () => {
  await plan({ backupDays: 1, backupHour: new Date().getUTCHours(), timeZone: 'UTC', backupsKept: 1 })
  const before = await names()
  await tick(jobGround(forum))
  await workDone(forum, actions)
  await tick(jobGround(forum))
  await workDone(forum, actions)
  const { backups, schedule } = await listed()
  expect(backups.filter(({ by }) => by === null)).toHaveLength(1)
  expect(backups).toHaveLength(before.length + 1)
  expect(new Date(schedule.next ?? 0).getTime()).toBeGreaterThan(Date.now() + 11 * 3_600_000)
})

async function databasesBeside(): Promise<string[]> {
  const client = new pg.Client({ connectionString: forum.ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>("select datname from pg_database where datname like 'rehearsal%'")
  await client.end()
  return rows.map(({ datname }) => datname)
}
