import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { bookChecks, features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { testKey, withDatabase } from '#base/testing/database.ts'
import { startForums, type Forums } from '#base/testing/forums.ts'
import { until } from '#base/testing/waits.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { says } from '#writing/testing/factories.ts'
import { releaseBefore } from '../../tools/release-before.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'teahouse-upgrade-'))
const older = join(folder, 'older')
const { owner } = inject('database')
const name = `upgrade_${process.pid}`
const ownerUrl = withDatabase(owner, name)
const env = { DATABASE_URL: ownerUrl, TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: join(folder, 'data') }
const started: Forums[] = []

afterAll(async () => {
  for (const server of started) await server.kill()
  await ask(owner, `drop database if exists ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

test('servers of the release before and of this one write side by side while the database is migrated, and nothing is lost or doubled', async () => {
  unpackOlder()
  await ask(owner, `create database ${name}`)
  await runTool(older, 'seed')
  await runTool(older, 'setting', 'set', 'newMemberSecondsBetweenComments', '0')
  const before = await start(older)
  const people: Writer[] = []
  for (const account of ['ann', 'bob']) people.push(await signIn(before, account))

  const acknowledged: string[] = []
  const over = new AbortController()
  let servers = [before]
  const writing = Promise.all(
    people.map(async (who) => {
      for (let n = 0; !over.signal.aborted; n++)
        acknowledged.push(await comment(who, `Comment ${n}`, () => servers[n % servers.length] as Forums))
    }),
  )
  const untilWritten = (more: number, target = acknowledged.length + more) => until(() => acknowledged.length >= target)
  await untilWritten(4)
  await runTool(root, 'migrate')
  await untilWritten(4)
  const after = await start(root)
  servers = [before, after]
  await untilWritten(8)
  servers = [after]
  await before.stop()
  await untilWritten(4)
  over.abort()
  await writing

  const rows = await ask(ownerUrl, `select id from comment where author_id = any(array[${people.map(({ id }) => id).join()}])`)
  expect(rows.map(({ id }) => String(id)).toSorted()).toEqual(acknowledged.toSorted())
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 2, onLost: () => undefined })
  expect(await breachesIn(database, bookChecks, null)).toEqual([])
  await database.close()
})

/** The tree of the release before, with the packages of this one. */
function unpackOlder(): void {
  mkdirSync(older)
  const archive = execFileSync('git', ['archive', releaseBefore], { cwd: root, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x'], { cwd: older, input: archive })
  symlinkSync(join(root, 'node_modules'), join(older, 'node_modules'))
}

async function runTool(at: string, ...words: string[]): Promise<string> {
  const tool = [join(at, 'apps/server/teahouse.ts'), ...words]
  return (await promisify(execFile)(process.execPath, tool, { cwd: at, env: { ...process.env, ...env } })).stdout
}

async function start(at: string): Promise<Forums> {
  const server = await startForums({ addresses: [addressesOf(ownerUrl)], folder: join(folder, 'data'), listens: true, env, root: at })
  started.push(server)
  return server
}

type Writer = { id: string; headers: Record<string, string> }

async function signIn(server: Forums, account: string): Promise<Writer> {
  const [, password = ''] = /password (\S+) /.exec(await runTool(older, 'member', 'add', account)) ?? []
  const info = await fetch(`${addressOf(server)}/api/baseInfo`, { headers: { 'x-requested-with': 'XMLHttpRequest' } })
  const [cookie = ''] = info.headers.getSetCookie()[0]?.split(';') ?? []
  const headers = { cookie, 'bbs-xsrf-token': cookie.split('=')[1] ?? '', 'x-requested-with': 'XMLHttpRequest' }
  const answer = await send(server, '/account/login', { account, password }, headers)
  const { accessToken, refreshToken } = (await answer.json()) as Record<string, string>
  const [{ id } = {}] = await ask(ownerUrl, `select id from member where account = '${account}'`)
  return { id: String(id), headers: { ...headers, authorization: `Bearer ${accessToken},${refreshToken}` } }
}

/** Posts a comment, again with the same key until it is acknowledged. Returns its id. */
async function comment({ id, headers }: Writer, text: string, serverNow: () => Forums): Promise<string> {
  const its = { ...headers, 'idempotency-key': `upgrade-${id}-${text.replace(' ', '-')}` }
  let commentId = ''
  await until(async () => {
    const answer = await send(serverNow(), '/comment/add', { topicId: '1', body: JSON.stringify(says(text)) }, its)
    if (answer.ok) ({ commentId } = (await answer.json()) as { commentId: string })
    return commentId !== ''
  })
  return commentId
}

function send(server: Forums, path: string, fields: Record<string, string>, headers: Record<string, string>): Promise<Response> {
  return fetch(`${addressOf(server)}/api${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
}

function addressOf({ ports: [port] }: Forums): string {
  return `http://127.0.0.1:${port}`
}

async function ask(at: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
