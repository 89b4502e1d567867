import * as audit from '#audit/server/audit.ts'
import { NotAllowed, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import type { PrepareContext, ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import { BackupInUse, type backupList, type WorkView } from '#maintenance/contract.ts'
import * as backups from '#maintenance/server/backups.ts'
import { addressOf } from '#maintenance/server/download.ts'
import { lastScheduled, work } from '#maintenance/server/jobs.ts'
import { backupsFolder, maintenanceContext } from '#maintenance/server/maintenance.ts'
import { nextAfter } from '#maintenance/server/schedule.ts'
import { enqueue } from '#maintenance/server/work.ts'
import { newest, rehearsalsOf } from '#maintenance/server/work-view.ts'
import * as setting from '#setting/server/setting.ts'

const worksShown = 10

export async function show(db: Db, by: StaffActor): Promise<Output<typeof backupList>> {
  const { dataDir, store } = maintenanceContext().config
  const { backupDays: days, backupHour: hour, backupsKept: keptCount, timeZone } = await setting.all(db)
  const [found, works, { free }, last] = await Promise.all([
    backups.list(backupsFolder(dataDir)),
    newest(db, ['backup', 'rehearsal'], worksShown),
    backups.diskSpace(dataDir),
    lastScheduled({ app: db }, dataDir),
  ])
  const rehearsals = await rehearsalsOf(
    db,
    found.map(({ name }) => name),
  )
  return {
    backups: found.map((one) => ({ ...one, at: one.at.toISOString(), rehearsal: rehearsals.get(one.name) ?? null })),
    works,
    free,
    hasStore: store !== null,
    mayDownload: by.isAdministrator,
    schedule: { days, hour, timeZone, kept: keptCount, next: nextAfter(last, new Date(), { days, hour, timeZone })?.toISOString() ?? null },
  }
}

export async function make(tx: Db, by: StaffActor, client: ClientInfo): Promise<WorkView> {
  const request = await enqueue(tx, 'backup', { by: by.account })
  await runSoon(tx, work, { workId: request.id })
  await audit.note(tx, by, client, { action: 'backup.make' })
  return request
}

export async function rehearse(tx: Db, by: StaffActor, client: ClientInfo, name: string): Promise<WorkView> {
  const request = await enqueue(tx, 'rehearsal', { about: name, by: by.account })
  await runSoon(tx, work, { workId: request.id })
  await audit.note(tx, by, client, { action: 'backup.rehearse', about: `backup ${name}` })
  return request
}

/** Backups contain private data, so only administrators may download them. */
export async function open(tx: Db, by: StaffActor, client: ClientInfo, name: string): Promise<{ address: string }> {
  if (!by.isAdministrator) throw NotAllowed()
  const address = await addressOf(tx, name, by.id)
  await audit.note(tx, by, client, { action: 'backup.open', about: `backup ${name}` })
  return { address }
}

/** Records the removal of a backup and commits before the folder is removed: an entry can be rolled back, a removed folder cannot. */
export async function remove(request: PrepareContext<{ name: string }, Staff>): Promise<void> {
  const { input, viewer, client, inSeparateTransaction } = request
  await mustExist(request)
  await inSeparateTransaction((tx) => noteRemoval(tx, viewer.staff, client, input.name))
  await backups.remove(backupsFolder(maintenanceContext().config.dataDir), input.name)
}

async function noteRemoval(tx: Db, by: StaffActor, client: ClientInfo, name: string): Promise<void> {
  const inUse = await tx
    .selectFrom('maintenance_task')
    .select('id')
    .where('kind', '=', 'rehearsal')
    .where('about', '=', name)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  if (inUse) throw BackupInUse()
  await audit.note(tx, by, client, { action: 'backup.remove', about: `backup ${name}` })
}

/** Refuses an unknown backup before any write. */
export async function mustExist({ input }: { input: { name: string } }): Promise<void> {
  await backups.folderOf(backupsFolder(maintenanceContext().config.dataDir), input.name)
}
