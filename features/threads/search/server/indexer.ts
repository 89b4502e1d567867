import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { keyOf, type Engine, type Key } from '#search/server/engine.ts'
import { entryOf } from '#search/server/entry.ts'
import { writeAny } from '#search/server/postgres/any-state.ts'
import { readPosts } from '#search/server/source.ts'
import { storeWords } from '#search/server/spelling.ts'
import { kinds, type Kind } from '#kind/contract.ts'

/** The cache tag of search results, invalidated by every change of the index. */
export const entriesTag = 'search'

const lockId = 7_205_116
const batchSize = 300
const pollMs = 400
const maxPauseMs = 30_000

type IndexerContext = { database: Database; engine: Engine; log: Log }

/** Indexes changes while the program runs. Among several processes, one works at a time. */
export function startIndexer({ database: { longRunning: database }, engine, log }: IndexerContext): { stop(): Promise<void> } {
  const control = new AbortController()
  const running = run()

  async function run(): Promise<void> {
    let failures = 0
    let isReady = false
    while (!control.signal.aborted) {
      try {
        if (!isReady) await ensureIndex(database, engine)
        isReady = true
        await catchUp(database, engine, { signal: control.signal })
        failures = 0
      } catch (error) {
        failures++
        // Unindexed changes stay in the queue. While the server is down, one log line is enough.
        if (failures === 1 || failures % 100 === 0) log.warn({ err: error }, 'Changes could not be entered for the search')
      }
      await rest(Math.min(maxPauseMs, pollMs * 2 ** Math.min(failures, 10)), control.signal)
    }
  }

  return {
    async stop() {
      control.abort()
      await running
    },
  }
}

// To be incremented when tokens or entries change their form.
const rulesVersion = 8

/** Queues all posts if the index was built by another engine or another version of the rules. */
export async function ensureIndex(database: Database, engine: Engine): Promise<void> {
  const maker = `${engine.name} ${rulesVersion}`
  await transact(database, (tx) =>
    withLock(tx, async () => {
      const { made_by: before } = await tx.selectFrom('search_state').select('made_by').executeTakeFirstOrThrow()
      if (before === maker) return
      // An engine that was out of use may contain entries of deleted posts.
      if (!before.startsWith(`${engine.name} `)) await engine.sweep(tx, new Date(Date.now() + 60_000))
      await queueAll(tx)
      await tx.updateTable('search_state').set({ made_by: maker, counted: 0 }).execute()
    }),
  )
}

/** Queues all posts, and returns the database's time. */
export async function queueAll(tx: Db): Promise<Date> {
  await sql`
    insert into search_change (kind, source_id, is_new)
    select 'topic', id, true from topic where purged_at is null
    union all select 'comment', id, true from comment where purged_at is null
    union all select 'reply', id, true from reply where purged_at is null`.execute(tx)
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(tx)
  return rows[0]?.now ?? new Date()
}

type IndexLimits = { signal?: AbortSignal; maxBatches?: number }

/** Indexes queued changes, in at most so many batches. Returns at once while another process does it. */
export async function catchUp(database: Database, engine: Engine, { signal, maxBatches = Infinity }: IndexLimits = {}): Promise<void> {
  let batches = 0
  for (; batches < maxBatches && (await hasChanges(database.app)); batches++) {
    if (signal?.aborted || !(await transact(database, (tx) => withLock(tx, () => indexBatch(tx, engine))))) return
  }
  if (batches > 0) await transact(database, (tx) => withLock(tx, () => engine.recount(tx)))
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

async function hasChanges(db: Db): Promise<boolean> {
  return (await db.selectFrom('search_change').select('number').orderBy('number').limit(1).executeTakeFirst()) !== undefined
}

/** Takes the oldest changes from the queue and indexes the present state of their posts, in one transaction. */
async function indexBatch(tx: Db, engine: Engine): Promise<true> {
  const changes = await dequeue(tx)
  const topicIds = changes.filter(({ spreads }) => spreads).map(({ source_id }) => source_id)
  if (topicIds.length > 0) await spreadToRemarks(tx, engine, topicIds)
  const removed: Key[] = []
  const indexed = []
  for (const kind of kinds) {
    const ids = [...new Set(changes.filter((change) => change.kind === kind).map(({ source_id }) => source_id))]
    if (ids.length === 0) continue
    const posts = (await readPosts[kind](tx, ids)).map((post) => ({ ...post, ...entryOf(post) }))
    const visible = posts.filter(({ isShown }) => isShown)
    indexed.push(...visible)
    removed.push(...missing(ids, visible).map((id) => keyOf(kind, id)))
    await writeAny(tx, kind, posts, missing(ids, posts))
  }
  await engine.write(
    tx,
    indexed.map(({ entry }) => entry),
    removed,
  )
  await storeWords(
    tx,
    indexed.flatMap(({ tokens }) => tokens.flatMap(({ word }) => word ?? [])),
  )
  invalidate(tx, entriesTag)
  return true
}

function missing(ids: readonly string[], posts: readonly { id: string }[]): string[] {
  const there = new Set(posts.map(({ id }) => id))
  return ids.filter((id) => !there.has(id))
}

async function withLock<T>(tx: Db, action: () => Promise<T>): Promise<T | null> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockId}) as free`.execute(tx)
  return rows[0]?.free ? action() : null
}

type QueuedChange = { kind: Kind; source_id: string; spreads: boolean }

async function dequeue(tx: Db): Promise<QueuedChange[]> {
  const { rows } = await sql<QueuedChange>`
    delete from search_change
    where ctid = any(array(select ctid from search_change order by number limit ${batchSize} for update))
    returning kind, source_id, spreads`.execute(tx)
  return rows
}

/** When a topic is published, removed or moved, the entries under it are deleted at once, and visible posts are queued again. */
async function spreadToRemarks(tx: Db, engine: Engine, topicIds: readonly string[]): Promise<void> {
  await engine.removeTopics(tx, topicIds)
  await sql`
    insert into search_change (kind, source_id, is_new)
    select 'comment', comment.id, true from comment join topic on topic.id = comment.topic_id
      where topic.id = any(${topicIds}::bigint[]) and topic.status = 'published' and comment.status = 'published'
    union all
    select 'reply', reply.id, true from reply join topic on topic.id = reply.topic_id
      where topic.id = any(${topicIds}::bigint[]) and topic.status = 'published' and reply.status = 'published'`.execute(tx)
}
