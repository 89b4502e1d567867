import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { openStore } from '#apps/server/store.ts'
import { readConfig } from '#base/server/config.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { Person } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { register, sessions } from '#account/contract.ts'
import { baseInfo } from '#setting/contract.ts'
import { listTags } from '#tag/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-stopped-'))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let postgres = await startEmbedded(folder, quiet, { forTests: true })
const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
const config = { ...readConfig({ TEAHOUSE_DATA: folder }), databaseUrl: postgres.ownerUrl, development: false }
const store = await openStore(config, log)
await store.database.app.transaction().execute((tx) => applySettings(tx, { registerCaptcha: false, ...lenientSettings }))
const app = await openApp({ config, database: store.database, log })
const tagId = await aTag(store.database, { name: 'Leaves' })
const mei = new Person(app)
const registered = await mei.call(register, {
  account: 'mei',
  password: mei.password,
  passwordAgain: mei.password,
  hintQuestion: 'Which tea in the morning?',
  hintAnswer: 'Longjing, always',
  agrees: true,
})
mei.pair = registered

afterAll(async () => {
  await app.close()
  await store.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const publish = (title: string) => mei.call(publishTopic, { tagId, title, body: says('Tea.') })
const titles = async () => (await new Visitor(app).call(listTopics, { tagId })).topics.map(({ title }) => title)
const tags = async () => (await new Visitor(app).call(listTags, {})).tags.map(({ name }) => name.en)

async function comesBack(): Promise<void> {
  await expect.poll(async () => (await mei.tryCall(sessions, {})).status).toBe(200)
}

/** The pids of this PostgreSQL. */
function processes(): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const rows = all.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).flatMap((found) => (found ? [found] : []))
  const [main] = rows.filter(([, , , args]) => args?.includes(join(folder, 'postgres/cluster')))
  return rows.flatMap(([, pid, parent]) => (pid === main?.[1] || parent === main?.[1] ? [Number(pid)] : []))
}

async function everybodyIsAnswered(): Promise<void> {
  expect((await new Visitor(app).call(baseInfo, {})).title).not.toBe('')
  expect(await tags()).toEqual(['Leaves'])
  const own = await Promise.all(Array.from({ length: 40 }, () => mei.tryCall(sessions, {})))
  expect(new Set(own.map(({ status }) => status))).toEqual(new Set([503]))
  expect((await mei.tryCall(publishTopic, { tagId, title: 'Never', body: says('Tea.') })).status).toBe(503)
  expect((await app.inject('/health')).statusCode).toBe(503)
}

test('while PostgreSQL is stopped every request is answered, from a cache if possible', async () => {
  await publish('First')
  expect([await titles(), await tags()]).toEqual([['First'], ['Leaves']])
  await publish('Second')
  logged.splice(0)
  await postgres.stop()
  await everybodyIsAnswered()
  expect(await titles()).toEqual(['First'])
  expect(logged.join('\n')).toContain('what was kept is sent as it was before')
  postgres = await startEmbedded(folder, quiet, { forTests: true })
  await comesBack()
  expect(await titles()).toEqual(['Second', 'First'])
})

test('while PostgreSQL hangs every request is answered too', async () => {
  await new Visitor(app).call(baseInfo, {})
  expect([await titles(), await tags()]).toEqual([['Second', 'First'], ['Leaves']])
  const stopped = processes()
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  logged.splice(0)
  try {
    await everybodyIsAnswered()
    expect(await titles()).toEqual(['Second', 'First'])
    // No request waited for a statement timeout.
    expect(logged.join('')).not.toMatch(/Query read timeout|statement timeout/)
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
  await comesBack()
  await publish('Third')
  expect(await titles()).toEqual(['Third', 'Second', 'First'])
})
