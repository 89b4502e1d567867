import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { isPostgresOf, readPidFile } from '#base/server/postgres/pid-file.ts'
import { memoryFor } from '#base/server/postgres/cluster.ts'
import { runningEmbedded, startEmbedded, type EmbeddedDatabase } from '#base/server/postgres/embedded.ts'
import { until } from '#base/testing/waits.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const folder = mkdtempSync(join(tmpdir(), 'tea-'))
const data = join(folder, 'data')
const cluster = join(data, 'postgres/cluster')
const started: EmbeddedDatabase[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const database of started.splice(0)) await database.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('written data is there after the next start', async () => {
  const first = await start()
  await ask(first, `create table cup as select '茶' as holds`)
  await first.stop()
  started.splice(0)
  expect(await ask(await start(), 'select holds from cup')).toEqual([{ holds: '茶' }])
})

test('the database sorts and compares text the same way on every machine', async () => {
  const rows = await ask(
    await start(),
    `select datlocprovider::text as provider, datlocale as locale from pg_database where datname = 'postgres'`,
  )
  expect(rows).toEqual([{ provider: 'b', locale: 'C.UTF-8' }])
})

test('no other user can reach the database', async () => {
  const database = await start()
  expect(await ask(database, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(statSync(join(data, 'postgres')).mode & 0o777).toBe(0o700)
  expect(statSync(join(data, 'postgres/password')).mode & 0o777).toBe(0o600)
  const stranger = { ownerUrl: database.ownerUrl.replace(/:[^:@]+@/, ':guess@') }
  await expect(ask(stranger, 'select 1')).rejects.toThrow('password authentication failed')
})

test('there is room for a busy server, and for the operator’s tool beside it', async () => {
  const { ownerUrl } = await start()
  // Two pools, the listening connection, the jobs' own, and locks.
  const clients = Array.from({ length: 2 * (16 + 16 + 1 + 3 + 4) }, () => new pg.Client({ connectionString: ownerUrl }))
  expect(await Promise.allSettled(clients.map((client) => client.connect()))).not.toContainEqual(
    expect.objectContaining({ status: 'rejected' }),
  )
  await Promise.all(clients.map((client) => client.end()))
})

test('memory grows with the machine, within bounds', async () => {
  const gigabytes = (number: number) => memoryFor(number * 2 ** 30)
  expect(gigabytes(0.5)).toEqual({ shared_buffers: '128MB', effective_cache_size: '512MB', maintenance_work_mem: '64MB' })
  expect(gigabytes(8)).toEqual({ shared_buffers: '1024MB', effective_cache_size: '4096MB', maintenance_work_mem: '128MB' })
  expect(gigabytes(256)).toEqual({ shared_buffers: '2048MB', effective_cache_size: '65536MB', maintenance_work_mem: '512MB' })
  const buffers = `select setting::int * 8 / 1024 between 128 and 2048 as "isWithin" from pg_settings where name = 'shared_buffers'`
  expect(await ask(await start(), buffers)).toEqual([{ isWithin: true }])
})

test('the durability settings cannot be switched off', async () => {
  const database = await start()
  for (const name of ['fsync', 'full_page_writes']) await ask(database, `alter system set ${name} = off`)
  await ask(database, `alter system set deadlock_timeout = '2s'`)
  await ask(database, 'select pg_reload_conf()')
  await expect.poll(() => ask(database, 'show deadlock_timeout')).toEqual([{ deadlock_timeout: '2s' }])
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'])
    expect(await ask(database, `show ${name}`)).toEqual([{ [name]: 'on' }])
})

test('a second server on the same data is refused, and told which one runs', async () => {
  await start()
  await expect(start()).rejects.toThrow(CannotStart)
  await expect(start()).rejects.toThrow(`Another Teahouse (process ${process.pid}) is running on ${data}.`)
})

test("the operator's tool finds the database of a running server, and none when it is stopped", async () => {
  expect(runningEmbedded(data)).toBeNull()
  expect(runningEmbedded(join(folder, 'missing'))).toBeNull()
  const database = await start()
  expect(runningEmbedded(data)?.ownerUrl).toBe(database.ownerUrl)
})

test('PostgreSQL ends when its server is killed, and the data starts again', async () => {
  const server = await startServer()
  const pid = postmaster()
  server.kill('SIGKILL')
  await until(() => !isPostgresOf(pid, cluster))
  await start()
})

test('a PostgreSQL that outlived its server gives way to the next', async () => {
  const server = await startServer({ guarded: false })
  const pid = postmaster()
  server.kill('SIGKILL')
  await once(server, 'exit')
  expect(isPostgresOf(pid, cluster)).toBe(true)
  expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(isPostgresOf(pid, cluster)).toBe(false)
})

test('a PostgreSQL that falls is started again under the same address', async () => {
  const database = await start()
  const pid = postmaster()
  process.kill(pid, 'SIGKILL')
  await until(() => ![undefined, pid].includes(runningPid()))
  // The pid file is there a moment before it listens.
  await until(() => ask(database, 'select 1 as one').catch(() => null))
})

test('a process that got the number of a dead PostgreSQL does not keep the next one from starting', async () => {
  await (await start()).stop()
  started.splice(0)
  const other = spawn('sleep', ['30'])
  const now = Math.floor(Date.now() / 1000)
  writeFileSync(join(cluster, 'postmaster.pid'), `${other.pid}\n${cluster}\n${now}\n5432\n${data}/postgres\n\n  0  0\nready   \n`)
  expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  other.kill()
})

test('a path too long for a socket, or with odd letters in it, does no harm', async () => {
  const long = join(folder, `it's a "very" long way, 茶`.repeat(3), 'data')
  const database = await start(long)
  expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(runningEmbedded(long)?.ownerUrl).toBe(database.ownerUrl)
})

test('a first start that was cut off begins again', async () => {
  const cut = join(folder, 'cut')
  mkdirSync(join(cut, 'postgres/cluster.new/base'), { recursive: true, mode: 0o700 })
  writeFileSync(join(cut, 'postgres/cluster.new/PG_VERSION'), '18\n')
  expect(await ask(await start(cut), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('data of another PostgreSQL is refused in plain words', async () => {
  const old = join(folder, 'old')
  mkdirSync(join(old, 'postgres/cluster'), { recursive: true, mode: 0o700 })
  writeFileSync(join(old, 'postgres/cluster/PG_VERSION'), '15\n')
  await expect(start(old)).rejects.toThrow('is of PostgreSQL 15, and this Teahouse has 18')
})

test('a folder that cannot be made is refused in plain words', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(start(join(folder, 'file/data'))).rejects.toThrow(`The folder ${folder}/file/data cannot be used`)
})

if (process.geteuid?.() === 0) {
  test('without user namespaces root runs the database as the user nobody', async () => {
    const place = join(folder, 'of-root')
    chmodSync(folder, 0o711)
    vi.stubEnv('PATH', pathWith('sh', 'id'))
    await start(place)
    expect(statSync(join(place, 'postgres/cluster')).uid).toBe(65_534)
    expect(statSync(`/proc/${postmaster(place)}`).uid).toBe(65_534)
  })
}

async function start(dataDir = data): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(dataDir, quiet)
  started.push(database)
  return database
}

async function ask({ ownerUrl }: { ownerUrl: string }, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A server in a process of its own, optionally without the shell that watches for its death. */
async function startServer({ guarded = true } = {}): Promise<ChildProcess> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
    const quiet = { debug() {}, info() {}, warn() {}, error() {} }
    await startEmbedded(${JSON.stringify(data)}, quiet)
    console.log('ready')
    setInterval(() => {}, 1000)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout, 'data')
  if (!guarded) killGuardOf(server)
  return server
}

function killGuardOf(server: ChildProcess): void {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ').map(Number)
  const guard = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh'))
  process.kill(Number(guard), 'SIGKILL')
}

function postmaster(dataDir = data): number {
  return Number(readPidFile(join(dataDir, 'postgres/cluster'))?.pid)
}

function runningPid(): number | undefined {
  const file = readPidFile(cluster)
  return file?.isReady ? file.pid : undefined
}

function pathWith(...programs: string[]): string {
  const path = mkdtempSync(join(folder, 'path-'))
  chmodSync(path, 0o755)
  for (const name of programs) symlinkSync(`/usr/bin/${name}`, join(path, name))
  return path
}
