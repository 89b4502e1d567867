import { join } from 'node:path'
import type { JobContext } from '#base/server/jobs/jobs.ts'
import type { FindingsView } from '#maintenance/contract.ts'
import { list, remove, diskSpace } from '#maintenance/server/backups.ts'
import { backupsFolder } from '#maintenance/server/maintenance.ts'
import type { Actions, Result, Task, ReportProgress } from '#maintenance/server/work.ts'
import * as search from '#search/server/search.ts'
import * as setting from '#setting/server/setting.ts'

/** Tools outside of the features with access as the owner of the database, as the operator's command has. */
export type Tools = {
  writeBackup(options: { folder: string; requestedBy: string | null; tell: ReportProgress }): Promise<unknown>
  rehearse(options: { folder: string; tell: ReportProgress }): Promise<FindingsView>
}

export function actionsWith(tools: Tools): Actions {
  return {
    backup: (context, task, tell) => backUp(tools, context, task, tell),
    async rehearsal({ dataDir }, { about }, tell) {
      return { findings: await tools.rehearse({ folder: join(backupsFolder(dataDir), about ?? ''), tell }) }
    },
    search: rebuildSearch,
  }
}

// `about` stores when all posts were queued, so that a resumed task does not start again.
async function rebuildSearch({ database }: JobContext, { id, about }: Task, tell: ReportProgress): Promise<Result> {
  await search.rebuildAll(database, {
    since: about === null ? null : new Date(about),
    onQueued: (at) => database.app.updateTable('maintenance_task').set({ about: at.toISOString() }).where('id', '=', id).execute(),
    onProgress: (done, total) => tell('entering', done, total),
  })
  return {}
}

async function backUp(tools: Tools, { database, dataDir }: JobContext, { by }: Task, tell: ReportProgress): Promise<Result> {
  const folder = backupsFolder(dataDir)
  await refuseUnlessSpace(folder, dataDir)
  const name = new Date().toISOString().slice(0, 23).replaceAll(/[:.]/g, '-')
  await tools.writeBackup({ folder: join(folder, name), requestedBy: by, tell })
  if (by === null) await pruneScheduled(folder, (await setting.all(database.reader)).backupsKept)
  return { about: name }
}

// Checked before the start, rather than when the disk of a running forum is full.
async function refuseUnlessSpace(folder: string, dataDir: string): Promise<void> {
  const [newest] = await list(folder)
  const { free } = await diskSpace(dataDir)
  if (newest?.bytes && newest.bytes * 1.1 > free)
    throw Object.assign(new Error(`The last backup has ${newest.bytes} bytes, and ${free} are free.`), { code: 'ENOSPC' })
}

/** Keeps the newest scheduled backups. */
async function pruneScheduled(folder: string, maxKept: number): Promise<void> {
  const byItself = (await list(folder)).filter(({ by }) => by === null)
  for (const { name } of byItself.slice(maxKept)) await remove(folder, name)
}
