import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import type { WorkView } from '#maintenance/contract.ts'
import { work } from '#maintenance/server/jobs.ts'
import { enqueue } from '#maintenance/server/work.ts'

// All in-process caches: rendered pages and responses, settings, rights, tags, words.
const cacheTags = ['everything', 'setting', 'role', 'tags', 'tagCounts', 'sensitiveWords', 'searchCounts']

/** In every process, on commit. */
export async function clearCaches(tx: Db, by: StaffActor, client: ClientInfo): Promise<void> {
  invalidate(tx, ...cacheTags)
  await audit.note(tx, by, client, { action: 'site.clearCaches' })
}

export async function rebuildSearch(tx: Db, by: StaffActor, client: ClientInfo): Promise<WorkView> {
  const queued = await enqueue(tx, 'search', { by: by.account })
  await runSoon(tx, work, { workId: queued.id })
  await audit.note(tx, by, client, { action: 'site.rebuildSearch' })
  return queued
}
