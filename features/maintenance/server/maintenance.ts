import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database.ts'
import type { PageCache } from '#base/server/page-cache.ts'
import { watchLoop } from '#maintenance/server/loop-delay.ts'

type Parts = { config: Config; database: Database; cache: PageCache }
export type Ground = Parts & { version: string }

let opened: Ground | null = null

/** Says what there is to be kept well. */
export function openMaintenance(parts: Parts): void {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  opened = { ...parts, version }
  watchLoop()
}

export function ground(): Ground {
  if (!opened) throw new Error('No maintenance is open')
  return opened
}

/** Where backups lie. */
export function backupsFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}
