import { join } from 'node:path'
import type { Config } from '#base/server/config.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { watchLoop } from '#maintenance/server/loop-delay.ts'

export type MaintenanceContext = { config: Config; database: Database; cache: PageCache }

let current: MaintenanceContext | null = null

/** Registers the maintained parts. */
export function openMaintenance(parts: MaintenanceContext): void {
  current = parts
  watchLoop()
}

export function maintenanceContext(): MaintenanceContext {
  if (!current) throw new Error('No maintenance is open')
  return current
}

export type FailedTask = { kind: 'backup' | 'rehearsal'; at: string }

/** The latest backup and rehearsal, if they failed. */
export async function failed(db: Db): Promise<FailedTask[]> {
  const rows = await db
    .selectFrom('maintenance_task')
    .distinctOn('kind')
    .select(['kind', 'state', 'ended_at'])
    .where('ended_at', 'is not', null)
    .orderBy('kind')
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap(({ kind, state, ended_at }) =>
    kind !== 'search' && state === 'failed' && ended_at ? [{ kind, at: ended_at.toISOString() }] : [],
  )
}

/** The folder of backups. */
export function backupsFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}
