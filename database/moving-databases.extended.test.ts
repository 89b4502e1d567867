import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { withPostgres } from '#apps/server/commands/forum.ts'
import { features, routes } from '#apps/server/features.ts'
import { preflight } from '#apps/server/preflight.ts'
import { readConfig } from '#base/server/config.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { setSealingKey } from '#base/server/security/sealing.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { testKey, withDatabase } from '#base/testing/database.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { otherPrograms, startOtherPostgres, type OtherPostgres } from '#base/testing/other-postgres.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { aMember } from '#account/testing/factories.ts'
import { addComment } from '#comment/contract.ts'
import { migrate } from '#database/migrate.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-moving-'))
const dataDir = join(folder, 'data')
const log = pino({ level: 'silent' })
const operations = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
let server: OtherPostgres

/** The lines of the documented commands below this heading. */
function documented(heading: string): string[] {
  const section = operations.split(`\n#### ${heading}\n`)[1] ?? ''
  const fences = [...(section.split(/\n#{2,4} /, 1)[0]?.matchAll(/```(?:sh|sql)\n([\s\S]*?)```/g) ?? [])]
  expect(fences).not.toEqual([])
  return fences.flatMap(([, text = '']) => text.trim().split('\n'))
}

/** Runs documented lines as an operator does: SQL as the superuser, the tool with the variables exported before it, and programs in a shell. */
async function run(lines: readonly string[], env: Record<string, string> = {}): Promise<Record<string, string>> {
  const now = { ...env }
  for (const line of lines) {
    const [, name, value = ''] = /^export (\w+)=(.+)$/.exec(line) ?? []
    const tool = /^npm run teahouse -- (.+)$/.exec(line)?.[1]
    if (name) now[name] = here(value)
    else if (line.startsWith('unset ')) delete now[line.slice(6)]
    else if (tool) await runCommand(here(tool).split(' '), readConfig({ TEAHOUSE_DATA: dataDir, TEAHOUSE_KEY: testKey, ...now }))
    else if (line.endsWith(';')) await asSuperuser(line)
    else if (line !== 'npm start') await shell(line, now)
  }
  return now
}

// The documentation's address and folder are the reader's to replace.
function here(text: string): string {
  const socket = new URL(server.ownerUrl).searchParams.get('host') ?? ''
  return text
    .replaceAll('/mnt/safe', folder)
    .replaceAll(/@(?:localhost|10\.0\.0\.10):5432\/(\w+)/g, `@localhost/$1?host=${encodeURIComponent(socket)}`)
}

async function shell(line: string, env: Record<string, string>): Promise<void> {
  const path = [otherPrograms, process.env['PATH']].join(delimiter)
  await promisify(execFile)('sh', ['-ec', here(line)], { env: { ...env, PATH: path }, cwd: folder, maxBuffer: 2 ** 26 })
}

async function asSuperuser(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

const config = (databaseUrl: string) => ({
  ...readConfig({ TEAHOUSE_DATA: dataDir, TEAHOUSE_KEY: testKey }),
  databaseUrl,
  development: false,
})

type Forum = { app: Awaited<ReturnType<typeof openApp>>; database: ReturnType<typeof openDatabase> }

/** The forum on this database, for the duration of the work. */
async function withForum<T>(ownerUrl: string, work: (forum: Forum) => Promise<T>): Promise<T> {
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 4, minSize: 0, onLost: () => undefined })
  const app = await openApp({ config: config(ownerUrl), database, log, gatherSeconds: 3_600 })
  try {
    return await work({ app, database })
  } finally {
    await app.close()
    await database.close()
  }
}

const embedded = <T>(work: (ownerUrl: string) => Promise<T>) => withPostgres({ config: { ...config(''), databaseUrl: null }, log }, work)

let pair: Visitor['pair'] = null
let ids = { topicId: '', memberId: '' }

/** Calls whose answers differ each time, such as those with a new token. */
const changing = new Set<string>()

/** What a visitor and the member read, by each call that needs no more than a topic or a member. */
async function answersOn(ownerUrl: string): Promise<Record<string, string>> {
  await preflight(ownerUrl)
  return withForum(ownerUrl, async ({ app }) => {
    const readers = { visitor: new Visitor(app), member: Object.assign(new Visitor(app), { pair }) }
    const calls = routes.filter(({ endpoint: { method, path } }) => method === 'GET' && !path.startsWith('/admin/'))
    const asked: Record<string, string> = {}
    for (const [who, reader] of Object.entries(readers))
      for (const { endpoint } of calls) {
        const { statusCode, body } = await reader.send('GET', endpoint.path, inputOf(endpoint))
        if (statusCode === 200 && !changing.has(endpoint.path)) asked[`${who} ${endpoint.path}`] = body
      }
    return asked
  })
}

/** As many of the ids as the call takes. */
function inputOf({ input }: (typeof routes)[number]['endpoint']): Record<string, string> {
  const taken = 'shape' in input ? Object.keys(input.shape as object) : []
  return Object.fromEntries(Object.entries(ids).filter(([name]) => taken.includes(name)))
}

let before: Record<string, string>

beforeAll(async () => {
  setSealingKey(Buffer.from(testKey, 'hex'))
  mkdirSync(dataDir)
  server = await startOtherPostgres(join(folder, 'server'))
  afterFile(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  before = await embedded(async (ownerUrl) => {
    await migrate(ownerUrl)
    await withForum(ownerUrl, fill)
    const [once, again] = [await answersOn(ownerUrl), await answersOn(ownerUrl)]
    for (const call of Object.keys(once)) if (once[call] !== again[call]) changing.add(call.split(' ')[1] ?? '')
    return answersOn(ownerUrl)
  })
})

async function fill({ app, database }: Forum): Promise<void> {
  await database.app.transaction().execute((tx) => applySettings(tx, { registerCaptcha: false, ...lenientSettings }))
  const mei = new Visitor(app)
  const made = await aMember(database, { account: 'mei', password: 'a-quiet-evening', ip: '10.0.0.1', language: 'zh', userAgent: 'test' })
  pair = mei.pair = made.pair
  const tagId = await aTag(database, { name: '绿茶 Leaves' })
  const { topicId } = await mei.call(publishTopic, { tagId, title: '明前龙井 — first of the year', body: says('绿茶，Ä und ß, 🍵.') })
  await mei.call(addComment, { topicId, body: says('谢谢 😀') })
  ids = { topicId, memberId: made.id }
}

test('by the forum’s own backup, as documented, a forum moves to a server of its own and back, and answers the same', async () => {
  const env = await run([...documented('A database for the forum'), ...documented('By the forum’s backup')])
  const own = env['DATABASE_URL'] ?? ''
  expect(Object.keys(before).length).toBeGreaterThan(30)
  expect(await answersOn(own)).toEqual(before)
  await withForum(own, async ({ app }) => {
    const mei = Object.assign(new Visitor(app), { pair })
    await mei.call(addComment, { topicId: ids.topicId, body: says('Written on the way') })
  })
  const moved = await answersOn(own)
  await run(documented('And back'), env)
  const back = await embedded(answersOn)
  expect(back).toEqual(moved)
  expect(JSON.stringify(back)).toContain('Written on the way')
})

test('by pg_dump and psql, as documented, a forum moves between servers, and its roles get their rights', async () => {
  const database = new URL(here('postgresql://teahouse:a-long-password@localhost:5432/teahouse')).href
  await asSuperuser(`create database moved owner teahouse template template0 encoding 'UTF8' locale 'C.UTF-8'`)
  const told = await answersOn(database)
  await run(documented('By pg_dump'), { DATABASE_URL: database, NEW_URL: withDatabase(database, 'moved') })
  const moved = withDatabase(database, 'moved')
  await migrate(moved)
  expect(await preflight(moved)).toEqual([expect.stringContaining('the start has given the roles their rights again')])
  expect(await answersOn(moved)).toEqual(told)
  expect(JSON.stringify(told)).toContain('明前龙井')
})
