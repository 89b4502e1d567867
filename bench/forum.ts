import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import * as token from '#account/server/token.ts'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend } from '#apps/server/frontend.ts'
import { openStore, type Store } from '#apps/server/store.ts'
import { readConfig } from '#base/server/config.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'
import { recordStatements, type Statement } from './statements.ts'

/** Options of a forum in a process of its own: its data, its size, and its cache. */
export type BenchForumOptions = {
  dataDir: string
  comments: number
  cacheBytes: number | null
  /** A database to share with others, in place of its own; its replica; a Redis. */
  shared?: { databaseUrl: string; replicaUrl?: string; redisUrl?: string }
}

export type Content = { topics: string[]; longest: { id: string; floors: number }; comments: string[]; members: string[]; pairs: string[] }
/** The time from start to the first page, without the start of the database. */
export type ReadyForum = Content & { url: string; ownerUrl: string; appUrl: string; pid: number; startMs: number }
export type State = { megabytes: number; loopDelayMs: number }

const writers = 600
// Without pace limits, because writers are as fast as the machine; the duplicate check stays.
const { duplicateWindowHours: _, ...noWaits } = lenientSettings
const client: ClientInfo = {
  origin: '',
  ip: '127.0.0.1',
  isLocal: false,
  language: 'en',
  userAgent: 'bench',
  authorization: undefined,
  csrf: '',
}
const options: BenchForumOptions = JSON.parse(process.argv[2] ?? '')
const read = readConfig({
  TEAHOUSE_DATA: options.dataDir,
  TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  DATABASE_URL: options.shared?.databaseUrl,
  DATABASE_REPLICA_URL: options.shared?.replicaUrl,
  REDIS_URL: options.shared?.redisUrl,
})
const config = { ...read, development: false }
const recorder = recordStatements()
const loaded = performance.now()
const log = pino({ level: 'error' })
const store = await openStore(config, log)
await fill(store)
await transact(store.database, (tx) => applySettings(tx, noWaits))
const content = await contentOf(store.database)

const begun = performance.now()
const app = await openApp({
  config,
  database: store.database,
  log,
  openFrontend: builtFrontend,
  ...(options.cacheBytes !== null && { cacheBytes: options.cacheBytes }),
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
await (await fetch(`${url}/index`)).text()
tell({
  ...content,
  url,
  ownerUrl: store.ownerUrl,
  appUrl: store.appUrl,
  pid: process.pid,
  startMs: loaded + performance.now() - begun,
} satisfies ReadyForum)

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', (asked) => {
  if (asked === 'stop') return void stop()
  if (asked === 'record') return recorder.begin()
  if (asked === 'statements') return tell(recorder.end())
  tell({ megabytes: process.memoryUsage.rss() / 1e6, loopDelayMs: delay.percentile(99) / 1e6 } satisfies State)
  delay.reset()
})

async function fill(into: Store): Promise<void> {
  await loadSealingKey({ config, db: into.database.app, log })
  await seedNewForum(into.database, config)
  const isNew = await addFirstStaff(into.database)
  if (!isNew || options.comments === 0) return
  // Seeding must not count as the forum's memory.
  const { fillInSets } = await import('./fill.ts')
  await fillInSets(into, options.comments)
}

/** Visible topics, comments and members to request; every topic takes comments. */
async function contentOf(database: Database): Promise<Content> {
  const db = database.app
  const topics = await db
    .selectFrom('topic')
    .innerJoin('tag', 'tag.id', 'topic.tag_id')
    .select(['topic.id', 'topic.floors'])
    .where('topic.status', '=', 'published')
    .where('topic.kind', '=', 'topic')
    .where('topic.takes_comments', '=', true)
    .where('tag.is_restricted', '=', false)
    .orderBy('topic.floors', 'desc')
    .limit(20_000)
    .execute()
  const comments = await db
    .selectFrom('comment')
    .innerJoin('topic', 'topic.id', 'comment.topic_id')
    .innerJoin('tag', 'tag.id', 'topic.tag_id')
    .select('comment.id')
    .where('comment.status', '=', 'published')
    .where('topic.status', '=', 'published')
    .where('topic.kind', '=', 'topic')
    .where('topic.takes_comments', '=', true)
    .where('tag.is_restricted', '=', false)
    .orderBy('comment.id')
    .limit(20_000)
    .execute()
  const members = await db
    .selectFrom('member')
    .select('id')
    .where('deactivated_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(writers)
    .execute()
  const longest = topics[0]
  if (!longest) throw new Error('There is nothing to ask for')
  const pairs = await transact(database, async (tx) => {
    const made = []
    for (const { id } of members) made.push(await token.createSession(tx, id, client))
    return made
  })
  return {
    longest,
    topics: shuffled(topics.map(({ id }) => id)),
    comments: shuffled(comments.map(({ id }) => id)),
    members: members.map(({ id }) => id),
    pairs: pairs.map(({ accessToken, refreshToken }) => `${accessToken},${refreshToken}`),
  }
}

// The same order every time, without a pattern.
function shuffled(ids: readonly string[]): string[] {
  return ids.toSorted((one, other) => mixed(one) - mixed(other))
}

function mixed(id: string): number {
  return Math.imul(Number(id), 0x9e3779b1) >>> 0
}

function tell(what: ReadyForum | State | Statement[]): void {
  process.send?.(what)
}

async function stop(): Promise<void> {
  await app.close()
  await store.close()
  process.exit()
}
