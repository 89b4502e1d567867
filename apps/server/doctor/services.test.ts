import { generateKeyPairSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { AnyCheck, Ground } from '#apps/server/doctor/check.ts'
import type { Finding } from '#apps/server/doctor/finding.ts'
import { groundOutside } from '#apps/server/doctor/ground.ts'
import { disks, sealingKey } from '#apps/server/doctor/machine-checks.ts'
import { ofProvider } from '#apps/server/doctor/payment-checks.ts'
import { files, mailRecords, redis } from '#apps/server/doctor/service-checks.ts'
import { supportOf } from '#apps/server/doctor/postgres-support.ts'
import { backups, books, jobsDone } from '#apps/server/doctor/work-checks.ts'
import { reportOf } from '#apps/server/commands/doctor.ts'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { readConfig } from '#base/server/config.ts'
import { transact } from '#base/server/database/database.ts'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { patienceMs } from '#base/testing/patience.ts'
import type { HealthView } from '#maintenance/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { wellProvider } from '#reconciliation/testing/provider-health.ts'

const { database, ownerUrl, close } = await freshDatabase()
await prepareJobs(ownerUrl)
const folder = mkdtempSync(join(tmpdir(), 'teahouse-doctor-'))
const env = { DATABASE_URL: ownerUrl, TEAHOUSE_DATA: folder, TEAHOUSE_KEY: testKey, PORT: String(await freePort()) }
const { ground, close: leave } = await groundOutside(readConfig(env))
afterAll(async () => {
  await leave()
  await close()
  rmSync(folder, { recursive: true })
})

async function found(check: AnyCheck, changes: Partial<Ground> = {}): Promise<Record<string, Finding['state']>> {
  const findings = await withDeadline(patienceMs(), async (signal) => check.run({ ...ground, ...changes } as never, signal))
  return Object.fromEntries([findings].flat().map(({ word, state }) => [word, state]))
}

/** A name server that knows texts by their names. */
async function aNameServer(texts: Record<string, string>) {
  const server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += 1 + (question[at] ?? 0))
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
    const text = texts[labels.join('.')]
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(text === undefined ? 0 : 1, 6)
    head.writeUInt32BE(0, 8)
    const data = text === undefined ? [] : [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length, ...Buffer.from(text)]
    server.send(Buffer.concat([head, question.subarray(12, end + 5), Buffer.from(data)]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return { servers: [`127.0.0.1:${server.address().port}`], stop: () => server.close() }
}

test('records of the sender’s domain are looked up, and those that are missing are told of', async () => {
  expect(await found(mailRecords)).toEqual({})
  await transact(database, async (tx) => {
    for (const [name, value] of Object.entries({ emailProvider: 'smtp', emailFrom: 'tea@tea.example.org', smtpHost: 'mail.example.org' }))
      await setting.change(tx, name as 'emailFrom', value, 'test')
  })
  const without = await aNameServer({})
  expect(await found(mailRecords, { nameServers: without.servers, database: own() })).toEqual({
    spfMissing: 'warn',
    dkimUnset: 'warn',
    dmarcMissing: 'warn',
  })
  without.stop()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await transact(database, async (tx) => {
    await setting.change(tx, 'dkimSelector', 'leaf', 'test')
    await setting.changeSealed(tx, 'dkimKey', String(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'test')
  })
  const records = { 'tea.example.org': 'v=spf1 mx -all', '_dmarc.tea.example.org': 'v=DMARC1; p=reject' }
  const some = await aNameServer(records)
  expect(await found(mailRecords, { nameServers: some.servers, database: own() })).toEqual({
    spfThere: 'ok',
    dkimMissing: 'bad',
    dmarcThere: 'ok',
  })
  some.stop()
  const published = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  for (const [key, finding] of [
    ['MIIB', { dkimOther: 'bad' }],
    [published, { dkimThere: 'ok' }],
  ] as const) {
    const all = await aNameServer({ ...records, 'leaf._domainkey.tea.example.org': `v=DKIM1; k=ed25519; p=${key}` })
    expect(await found(mailRecords, { nameServers: all.servers, database: own() })).toMatchObject(finding)
    all.stop()
  }
})

/** The pools that hear of changes of this process at once. */
function own(): Ground['database'] {
  return ground.database && { ...ground.database, pools: database }
}

test('a key that others of the machine can read is told of, and one that is missing or another', async () => {
  const at = (sealingKey: Buffer | null) => ({ config: { ...ground.config, sealingKey } })
  expect(await found(sealingKey, at(null))).toEqual({ keyMissing: 'bad' })
  const path = join(folder, 'key')
  writeFileSync(path, testKey, { mode: 0o600 })
  expect(await found(sealingKey, at(null))).toEqual({ keyFits: 'ok' })
  chmodSync(path, 0o644)
  expect(await found(sealingKey, at(null))).toEqual({ keyShared: 'bad' })
  rmSync(path)
  await database.app
    .insertInto('secret')
    .values({ name: 'sealingKey', value: Buffer.alloc(32) })
    .execute()
  expect(await found(sealingKey)).toEqual({ keyOther: 'bad' })
  await database.app.deleteFrom('secret').where('name', '=', 'sealingKey').execute()
})

test('a Redis that is away is told of, and none is fine', async () => {
  expect(await found(redis)).toEqual({})
  expect(await found(redis, { config: { ...ground.config, redisUrl: `redis://127.0.0.1:${await freePort()}` } })).toEqual({
    redisAway: 'bad',
  })
})

test('files can be stored, and the disk has room', async () => {
  expect(await found(files)).toEqual({ filesKept: 'ok' })
  expect(Object.keys(await found(disks))[0]).toMatch(/^disk/)
})

test('late books, and backups that are old or not rehearsed, are told of', async () => {
  const health = (at: string | null) => ({ health: { backup: { at, hasFailed: false } } as HealthView })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  expect(await found(books)).toEqual({ booksOpen: 'ok', booksChecked: 'ok' })
  expect(await found(jobsDone)).toEqual({ jobsDone: 'ok', jobsPrompt: 'ok' })
  expect(await found(backups, health(null))).toEqual({ backupNone: 'bad', rehearsalNone: 'warn' })
  await sql`insert into books_check (is_full, began_at, at_id) values (false, now() - interval '1 hour', 0)`.execute(database.app)
  expect(await found(books)).toMatchObject({ booksLate: 'bad' })
  const done = { kind: 'rehearsal', state: 'done', asked_at: daysAgo(41), ended_at: daysAgo(40) } as const
  await database.app.insertInto('maintenance_task').values(done).execute()
  expect(await found(backups, health(daysAgo(5).toISOString()))).toEqual({ backupOld: 'warn', rehearsalOld: 'warn' })
  await database.app
    .insertInto('maintenance_task')
    .values({ ...done, ended_at: daysAgo(1) })
    .execute()
  expect(await found(backups, health(daysAgo(1).toISOString()))).toEqual({ backupRecent: 'ok', rehearsalRecent: 'ok' })
})

test('keys of payment providers that end are told of in time', () => {
  const now = Date.now()
  const states = (changes: object) => ofProvider({ ...wellProvider, ...changes }, now).map(({ word }) => word)
  const ending = (days: number) => ({ endings: [{ name: 'certificate', endsAt: new Date(now + days * 86_400_000).toISOString() }] })
  expect(states({})).toEqual(['paymentWell'])
  expect(states(ending(12))).toEqual(['paymentEnding'])
  expect(states(ending(-1))).toEqual(['paymentEnded'])
  expect(states({ keyProblem: 'refused', failures: 3, inboxSeconds: 700, suspended: 2 })).toEqual([
    'paymentKeys',
    'paymentFailing',
    'paymentInbox',
    'paymentWaiting',
  ])
})

test('the end of a version of PostgreSQL is told of some months before', () => {
  expect(supportOf(15, Date.parse('2027-06-01'))).toMatchObject({ word: 'postgresSupported' })
  expect(supportOf(15, Date.parse('2027-09-01'))).toMatchObject({ word: 'postgresEnding', values: { end: '2027-11-11' } })
})

test('a report has the worst first, each with its cure, and the number of those that are well', () => {
  const report = reportOf([
    { state: 'ok', word: 'http2', values: {} },
    { state: 'unknown', word: 'commitsUntried', values: {} },
    { state: 'bad', word: 'proxyUntrusted', values: { peer: '10.0.0.1' } },
    { state: 'ok', word: 'keyFits', values: {} },
  ])
  expect(report.split('\n')).toEqual([
    'WRONG    The proxy at 10.0.0.1 isn’t trusted, so all visitors share its address and its limits. ' +
      'Set TEAHOUSE_TRUSTED_PROXIES to 10.0.0.1, and restart.',
    'UNKNOWN  Whether anything can be written isn’t known yet. Run the checks again in a few seconds.',
    '2 checks were fine.',
  ])
})

test('the command says what it could not check because the forum does not run, and fails for what is wrong', async () => {
  const report = await runCommand(['doctor'], readConfig(env)).catch((error: Error) => error.message)
  expect(report).toMatch(/^UNKNOWN {2}\d+ checks weren’t made, because no running forum answers at its port on this machine\./m)
  expect(report).toMatch(/^WRONG {4}No process runs jobs\./m)
  expect(report).toMatch(/^\d+ checks were fine\.$/m)
  await expect(runCommand(['doctor'], readConfig(env))).rejects.toThrow('WRONG')
})
