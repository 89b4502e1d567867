import { join } from 'node:path'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database.ts'
import type { PageCache } from '#base/server/page-cache.ts'

export type Ground = { config: Config; database: Database; cache: PageCache }

let opened: Ground | null = null

/** Says what there is to be kept well. */
export function openMaintenance(ground: Ground): void {
  opened = ground
}

export function ground(): Ground {
  if (!opened) throw new Error('No maintenance is open')
  return opened
}

/** Where backups lie. */
export function backupsFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}
