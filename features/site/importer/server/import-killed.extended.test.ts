import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { freshDatabase, testKey, type TestDatabase } from '#base/testing/database.ts'
import { addFirstStaff } from '#database/seed.ts'
import { communities } from '#importer/testing/random-community.ts'
import type { Community } from '#importer/testing/small-community.ts'
import * as wallet from '#wallet/server/wallet.ts'

const programFile = fileURLToPath(import.meta.resolve('#base/testing/import-program.ts'))
const kills = 50
const sizes = { members: 60, threads: 60, comments: 500, marks: 120 }
const perPage = 5
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const community: Community = fc.sample(communities(sizes), { seed, numRuns: 1 })[0] ?? {}
const pages = Object.values(community).reduce((sum, rows) => sum + Math.ceil(rows.length / perPage), 0)

let forum: TestDatabase
let other: TestDatabase
beforeAll(async () => {
  console.log(`The seed of the community and of the kills is ${seed}.`)
  ;[forum, other] = [await aDatabase(), await aDatabase()]
})

async function aDatabase(): Promise<TestDatabase> {
  const fresh = await freshDatabase()
  afterFile(() => fresh.close())
  await addFirstStaff(fresh.database)
  return fresh
}

function start({ ownerUrl }: TestDatabase): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [programFile], {
    env: {
      ...process.env,
      OWNER_URL: ownerUrl,
      TEAHOUSE_KEY: testKey,
      SEED: String(seed),
      SIZES: JSON.stringify(sizes),
      PER_PAGE: String(perPage),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

type End = { isDone: boolean; code: number | null; errors: string }

/** Runs an import to its end, or kills it a while after it has begun this many pages. */
async function run(store: TestDatabase, kill: { pages: number; afterMs: number } | null): Promise<End> {
  const program = start(store)
  const ended = once(program, 'exit')
  let [lines, isDone, errors] = [0, false, '']
  program.stderr.on('data', (data) => void (errors += String(data)))
  const reading = createInterface({ input: program.stdout }).on('line', (line) => {
    lines += 1
    if (line === 'done') isDone = true
    if (lines === kill?.pages) void setTimeout(kill.afterMs).then(() => program.kill('SIGKILL'))
  })
  const [code] = await ended
  reading.close()
  return { isDone, code, errors }
}

/** Random numbers of the seed: how far each run comes. */
const stops = fc.sample(fc.record({ pages: fc.integer({ min: 1, max: Math.ceil((2 * pages) / kills) }), afterMs: fc.nat(15) }), {
  seed,
  numRuns: kills,
})

async function counts({ database: { app } }: TestDatabase): Promise<Record<string, number>> {
  const tables = [
    'member',
    'topic',
    'comment',
    'reply',
    'message',
    'post_like',
    'favourite',
    'follow',
    'poll_ballot',
    'review',
    'reward',
    'import_row',
  ]
  const found: [string, number][] = []
  for (const table of tables) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(app)
    found.push([table, rows[0]?.count ?? 0])
  }
  const { rows: notes } = await sql<{ note: string; count: number }>`select note, count::int from import_note`.execute(app)
  return Object.fromEntries([...found, ...notes.map(({ note, count }) => [note, count] as const)])
}

async function assertSound({ database }: TestDatabase): Promise<void> {
  expect(await counterMismatches(database.app)).toEqual([])
  expect(await newestMismatches(database.app)).toEqual([])
  const { rows: gaps } = await sql`
    select topic_id from comment where floor is not null group by topic_id
    having (min(floor), max(floor), count(distinct floor)) <> (1, count(*), count(*))`.execute(database.app)
  expect(gaps).toEqual([])
  const { rows: doubles } = await sql`
    select kind, new_id from import_row where kind in ('member', 'comment', 'reply') group by 1, 2 having count(*) > 1`.execute(
    database.app,
  )
  expect(doubles).toEqual([])
  expect(await wallet.breachesIn(database, bookChecks, null)).toEqual([])
}

test('an import that is killed at any moment goes on there, and brings each row once', async () => {
  let killed = 0
  for (const stop of stops) {
    const end = await run(forum, stop)
    expect(end.errors).toBe('')
    if (end.isDone) break
    killed += 1
  }
  console.log(`It was killed ${killed} times in ${pages} pages.`)
  expect(killed).toBeGreaterThan(kills / 2)
  expect(await run(forum, null)).toEqual({ isDone: true, code: 0, errors: '' })
  await run(other, null)
  await assertSound(forum)
  expect(await counts(forum)).toEqual(await counts(other))
})

test.each([1, 20, 30, 60])('two imports of one community at once, %d pages on, bring each row once', async (begun) => {
  const store = await aDatabase()
  await run(store, { pages: begun, afterMs: 0 })
  const ends = await Promise.all([run(store, null), run(store, null)])
  expect(ends.map(({ errors }) => errors).filter((one) => one !== '' && !one.includes('Another import'))).toEqual([])
  expect(ends.some(({ isDone }) => isDone)).toBe(true)
  await run(store, null)
  await assertSound(store)
  expect(await counts(store)).toEqual(await counts(other))
})
