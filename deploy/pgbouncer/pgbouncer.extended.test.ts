import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { assertLimits } from '#apps/server/session-checks.ts'
import { accountOf, nobodyUser, ownAccount, startAs } from '#base/server/postgres/account.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { openDatabase, type Db } from '#base/server/database/database.ts'
import { poolingAt } from '#base/server/database/pooling.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { startProxy } from '#base/testing/database-proxy.ts'
import { startForums } from '#base/testing/forums.ts'
import { freePort } from '#base/testing/free-port.ts'
import { until } from '#base/testing/waits.ts'
import { aWholeServer, aWriter, writingDuring } from '#base/testing/whole-server.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'
import { findProgram } from '../../tools/find-program.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const program = await findProgram('pgbouncer')
const folder = mkdtempSync(join(tmpdir(), 'teahouse-pooler-'))
// The pooler's user must get through to its own folder.
chmodSync(folder, 0o711)
const postgres = await startEmbedded(join(folder, 'postgres'), quiet)
const proxy = await startProxy(postgres.ownerUrl)
const [poolerPort, password, authPassword] = [await freePort(), 'of-the-owner', 'of-the-pooler']
const pooledUrl = `postgresql://teahouse:${password}@127.0.0.1:${poolerPort}/teahouse`
const directUrl = `postgresql://teahouse:${password}@127.0.0.1:${proxy.port}/teahouse`

await asSuperuser('postgres', `create role teahouse login createrole createdb password '${password}'`)
await asSuperuser('postgres', 'create database teahouse owner teahouse')
await asSuperuser('teahouse', readFileSync(join(import.meta.dirname, 'auth.sql'), 'utf8').replaceAll(":'password'", `'${authPassword}'`))

async function asSuperuser(name: string, text: string): Promise<void> {
  const url = new URL(postgres.ownerUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(text.replaceAll(/^--.*$/gm, ''))
  await client.end()
}

// Where the pooler runs in the tests. Everything else of the file stays as it is.
const places = (place: string): [string, string][] => [
  ['host=127.0.0.1 port=5432', `host=127.0.0.1 port=${proxy.port}`],
  ['listen_port = 6432', `listen_port = ${poolerPort}`],
  ['/etc/pgbouncer/', `${place}/`],
  ['/var/run/postgresql', place],
  ['/var/log/postgresql', place],
]

type Pooler = { stop(): Promise<void>; restart(): Promise<void> }
let running: Pooler | null = null

/** Starts PgBouncer with the file, in this mode. PgBouncer does not run as root. */
async function startPooler(mode: 'session' | 'transaction'): Promise<Pooler> {
  const place = mkdtempSync(join(folder, 'pooler-'))
  let text = readFileSync(join(import.meta.dirname, 'pgbouncer.ini'), 'utf8')
  for (const [from, to] of [...places(place), ['pool_mode = session', `pool_mode = ${mode}`] as const]) {
    if (!text.includes(from)) throw new Error(`pgbouncer.ini has no ${from}`)
    text = text.replaceAll(from, to)
  }
  writeFileSync(join(place, 'pgbouncer.ini'), text)
  writeFileSync(join(place, 'userlist.txt'), `"pgbouncer_auth" "${authPassword}"\n`)
  const account = process.getuid?.() === 0 ? accountOf(nobodyUser()) : ownAccount
  if (account.user)
    for (const path of [place, ...readdirSync(place).map((name) => join(place, name))]) chownSync(path, account.user.uid, account.user.gid)
  let child = await started()
  async function started() {
    const its = startAs(account, [program, join(place, 'pgbouncer.ini')], place)
    its.stdout.resume()
    its.stderr.resume()
    await until(() => accepts(poolerPort))
    return its
  }
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  running = {
    stop,
    async restart() {
      await stop()
      child = await started()
    },
  }
  return running
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })
}

afterEach(async () => running?.stop())
afterAll(async () => {
  proxy.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ways = {
  session: { DATABASE_URL: pooledUrl },
  transaction: { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: directUrl },
} as const
const modes = ['session', 'transaction'] as const

async function limitsOf(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

test.each(modes)('in %s mode a forum starts, its limits hold, and its writes reach a second process', async (mode) => {
  await startPooler(mode)
  const server = await aWholeServer(folder, ways[mode])
  const addresses = mode === 'session' ? addressesOf(pooledUrl) : addressesOf(directUrl, null, pooledUrl)
  // Debian's PgBouncer loses prepared statements between transactions.
  const env = { PREPARES: mode === 'session' ? 'yes' : '' }
  const second = await startForums({ addresses: [addresses], folder: mkdtempSync(join(folder, 'second-')), listens: true, env })
  try {
    const { app, reader, longRunning } = server.database
    const usual = { lock_timeout: '0', idle_in_transaction_session_timeout: '30000' }
    for (let times = 0; times < 5; times++) {
      for (const limits of await Promise.all([limitsOf(app), limitsOf(app)]))
        expect(limits).toEqual({ ...usual, statement_timeout: '15000' })
      expect(await limitsOf(reader)).toEqual({ ...usual, statement_timeout: '5000' })
      expect(await limitsOf(longRunning.app)).toEqual({
        lock_timeout: '15000',
        idle_in_transaction_session_timeout: '0',
        statement_timeout: '0',
      })
    }
    expect(server.logged('leads to a pooler')).toEqual([expect.stringContaining(`"mode":"${mode}"`)])
    const tagId = await aTag(server.database, { name: `Listening ${mode}` })
    const mei = await aWriter(server.app, `mei_${mode}`)
    const titles = async () => {
      const answer = await fetch(`http://127.0.0.1:${second.ports[0]}/api${listTopics.path}?tagId=${tagId}`)
      return ((await answer.json()) as { topics: { title: string }[] }).topics.map(({ title }) => title)
    }
    expect(await titles()).toEqual([])
    await mei.call(publishTopic, { tagId, title: 'Heard', body: says('Tea.') })
    await until(async () => (await titles()).includes('Heard'))
  } finally {
    await second.stop()
    await server.close()
  }
})

test.each(modes)('in %s mode a restart of the pooler under writers loses and doubles nothing', async (mode) => {
  const pooler = await startPooler(mode)
  const server = await aWholeServer(folder, ways[mode])
  try {
    const { acknowledged, stored, others } = await writingDuring(server, `Restart_${mode}`, pooler.restart)
    expect(stored).toEqual(acknowledged)
    expect([...others]).toEqual([])
  } finally {
    await server.close()
  }
})

test('a pooler in transaction mode is refused as the only way, with what to do', async () => {
  await startPooler('transaction')
  await expect(aWholeServer(folder, ways.session)).rejects.toThrow(
    /DATABASE_URL leads to a pooler in transaction mode.*DATABASE_DIRECT_URL/,
  )
  await expect(aWholeServer(folder, { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: pooledUrl })).rejects.toThrow(
    /DATABASE_DIRECT_URL leads to a pooler in transaction mode/,
  )
})

test('each mode is recognised, and PostgreSQL itself is no pooler', async () => {
  expect((await poolingAt(directUrl)).mode).toBe('none')
  for (const mode of modes) {
    const pooler = await startPooler(mode)
    expect((await poolingAt(pooledUrl)).mode).toBe(mode)
    await pooler.stop()
  }
})

test('what the pooler refuses is said as it is', async () => {
  await startPooler('session')
  const withOptions = `${pooledUrl}?options=-c%20geqo%3Doff`
  await expect(connectAsOwner(withOptions)).rejects.toThrow(
    /The pooler at 127\.0\.0\.1:\d+ refuses the connection \(.*startup parameter.*options/,
  )
})

test('a limit that does not hold is refused by name', async () => {
  const database = openDatabase(addressesOf(directUrl), { onLost: () => undefined, statementTimeoutsMs: { app: 1_000, reader: 5_000 } })
  try {
    await expect(assertLimits(database)).rejects.toThrow(
      'A session of teahouse_app has statement_timeout = 1000 ms, and the forum set 15000 ms',
    )
  } finally {
    await database.close()
  }
})
