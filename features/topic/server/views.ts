import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database.ts'
import type { Gathering } from '#base/server/gather.ts'
import { networkOf } from '#base/server/rate-limit.ts'
import type { From, Viewer } from '#base/server/route.ts'
import * as setting from '#setting/server/setting.ts'
import { heatOf } from '#post/server/post.ts'

const halfHourMs = 30 * 60_000
const mostRemembered = 200_000
const mostWaiting = 20_000

const lastSeen = new Map<string, number>()
let waiting = new Map<string, number>()

/** Somebody looks at a topic: counted once in half an hour, for a member wherever they are, for a visitor by network and browser. */
export function saw(topicId: string, viewer: Viewer, from: From, now = performance.now()): void {
  forgetOld(now)
  const key = keyOf(topicId, viewer, from)
  if (lastSeen.has(key)) return
  lastSeen.set(key, now)
  if (waiting.size < mostWaiting || waiting.has(topicId)) waiting.set(topicId, (waiting.get(topicId) ?? 0) + 1)
}

export function forgetSeen(): void {
  lastSeen.clear()
  waiting = new Map()
}

/**
 * Adds the views that wait to their topics, and what they do for the heat. Nothing is invalidated by this: pages that are kept
 * show a count up to five minutes old, for a page that changed with each look could not be kept at all.
 */
export const views: Gathering = {
  name: 'views',
  async write(database: Database) {
    if (waiting.size === 0) return
    const taken = waiting
    waiting = new Map()
    try {
      await add(database, [...taken])
    } catch (error) {
      for (const [topicId, times] of taken) waiting.set(topicId, (waiting.get(topicId) ?? 0) + times)
      throw error
    }
  },
}

async function add(database: Database, counts: [string, number][]): Promise<void> {
  const settings = await setting.all(database.reader)
  const ids = counts.map(([topicId]) => topicId)
  const times = counts.map(([, count]) => count)
  await transact(database, (tx) =>
    sql`
      update topic set
        view_count = view_count + seen.times,
        heat = ${heatOf(settings, { views: sql`(topic.view_count + seen.times)` })}
      from unnest(${ids}::bigint[], ${times}::int[]) as seen(id, times)
      where topic.id = seen.id and topic.status = 'published'`.execute(tx),
  )
}

// In the order of time, so the oldest come first.
function forgetOld(now: number): void {
  for (const [key, at] of lastSeen) {
    if (lastSeen.size < mostRemembered && now - at < halfHourMs) return
    lastSeen.delete(key)
  }
}

function keyOf(topicId: string, viewer: Viewer, from: From): string {
  const who = viewer.id === null ? `${networkOf(from.ip)} ${from.userAgent}` : `member ${viewer.id}`
  return createHash('sha256').update(`${topicId} ${who}`).digest('base64url').slice(0, 20)
}
