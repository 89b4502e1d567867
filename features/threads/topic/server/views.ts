import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'
import { networkOf } from '#base/server/http/rate-limit.ts'
import type { ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import { heatOf } from '#post/server/post.ts'

const halfHourMs = 30 * 60_000
const maxRemembered = 200_000
const maxPending = 20_000

type ViewBuffer = {
  lastSeen: Map<string, number>
  /** Views that are still to be written. */
  waiting: Map<string, PendingView>
}
const bufferOf = perProgram((): ViewBuffer => ({ lastSeen: new Map(), waiting: new Map() }))

type PendingView = { topicId: string; at: number }

/** Counts a view of a topic once in half an hour: by member, or by network and browser of a visitor. */
export function recordView(db: Db, topicId: string, viewer: Viewer, client: ClientInfo, at = Date.now()): void {
  const { lastSeen, waiting: pending } = bufferOf(db)
  removeOld(lastSeen, at)
  const key = keyOf(topicId, viewer, client)
  if (lastSeen.has(key)) return
  lastSeen.set(key, at)
  if (pending.size < maxPending) pending.set(key, { topicId, at })
}

/**
 * Adds the buffered views to their topics and updates the heat; views that another process counted already are skipped. No cache is
 * invalidated: cached pages show a count up to five minutes old, since a page that changed with each view could not be cached at
 * all.
 */
export const views: BufferedWriter = {
  name: 'views',
  async write(database: Database) {
    const buffer = bufferOf(database.app)
    const batch = buffer.waiting
    if (batch.size === 0) return
    buffer.waiting = new Map()
    try {
      await saveViews(database, batch)
    } catch (error) {
      buffer.waiting = new Map([...batch, ...buffer.waiting])
      throw error
    }
  },
}

async function saveViews(database: Database, pendingViews: ReadonlyMap<string, PendingView>): Promise<void> {
  const settings = await setting.all(database.reader)
  // All writers use the same lock order.
  const keys = [...pendingViews.keys()].sort()
  const entries = keys.map((key) => pendingViews.get(key) as PendingView)
  await transact(database, (tx) =>
    sql`
      with look as (
        select * from unnest(${keys}::text[], ${entries.map(({ topicId }) => topicId)}::bigint[], ${entries.map(({ at }) => at)}::double precision[])
          as its (key, topic_id, ms)),
      counted as (
        insert into topic_look as before (key, at) select key, to_timestamp(ms / 1000) from look
        on conflict (key) do update set at = excluded.at where before.at <= excluded.at - ${halfHourMs} * interval '1 millisecond'
        returning key),
      seen as (select topic_id, count(*)::int as times from look join counted using (key) group by topic_id)
      update topic set
        view_count = view_count + seen.times,
        heat = ${heatOf(settings, { views: sql`(topic.view_count + seen.times)` })}
      from seen where topic.id = seen.topic_id and topic.status = 'published'`.execute(tx),
  )
}

/** Deletes deduplication rows older than half an hour. */
export async function purgeExpiredViews(database: Database): Promise<void> {
  await database.app
    .deleteFrom('topic_look')
    .where(sql<boolean>`at < now() - ${halfHourMs} * interval '1 millisecond'`)
    .execute()
}

// In the order of time, so the oldest come first.
function removeOld(lastSeen: Map<string, number>, now: number): void {
  for (const [key, at] of lastSeen) {
    if (lastSeen.size < maxRemembered && now - at < halfHourMs) return
    lastSeen.delete(key)
  }
}

function keyOf(topicId: string, viewer: Viewer, client: ClientInfo): string {
  const who = viewer.id === null ? `${networkOf(client.ip)} ${client.userAgent}` : `member ${viewer.id}`
  return createHash('sha256').update(`${topicId} ${who}`).digest('base64url').slice(0, 20)
}
