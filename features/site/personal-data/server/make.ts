import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { JobContext } from '#base/server/jobs/jobs.ts'
import * as contact from '#contact/server/contact.ts'
import * as file from '#file/server/file.ts'
import * as notification from '#notification/server/notification.ts'
import { writeFiles, writeFirst } from '#personal-data/server/archive.ts'

const retentionDays = 7
const maxTries = 5
const maxArchiveBytes = 1_000_000_000

type ExportRequest = { id: string; member_id: string; language: 'zh' | 'en' }
type ExportContext = Pick<JobContext, 'database' | 'dataDir' | 'log'>

/** Makes what waits, one after another. What dies half-way is begun again, and given up after some tries. */
export async function makeAll(context: ExportContext): Promise<void> {
  for (;;) {
    const request = await next(context.database)
    if (!request) return
    try {
      await make(context, request)
    } catch (error) {
      context.log.warn({ err: error }, 'The data of a member could not be gathered')
      await recordFailure(context.database.app, request.id)
    }
  }
}

/** Removes what was kept for its time. */
export async function removeExpired({ app }: Database): Promise<void> {
  const rows = await app
    .selectFrom('data_download_file')
    .innerJoin('data_download', 'data_download.id', 'download_id')
    .select('file_id')
    .where(sql<boolean>`expires_at < now()`)
    .execute()
  await file.removeArchives(
    app,
    rows.map(({ file_id }) => file_id),
  )
  await app
    .deleteFrom('data_download')
    .where(sql<boolean>`expires_at < now() or (state = 'failed' and asked_at < now() - interval '7 days')`)
    .execute()
}

/** One that nobody is at: it was begun never, or so long ago that whoever began it is gone. */
async function next({ app }: Database): Promise<ExportRequest | undefined> {
  return app
    .updateTable('data_download')
    .set((row) => ({ tries: row('tries', '+', 1), begun_at: sql`now()` }))
    .where('id', '=', (row) =>
      row
        .selectFrom('data_download')
        .select('id')
        .where('state', '=', 'waiting')
        .where(sql<boolean>`begun_at is null or begun_at < now() - interval '2 hours'`)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'member_id', 'language'])
    .executeTakeFirst()
}

async function make({ database, dataDir }: ExportContext, request: ExportRequest): Promise<void> {
  const folder = join(dataDir, 'personal-data', request.id)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    const archives: file.StoredArchive[] = []
    const [first = [], ...more] = splitIntoArchives(await file.ownedBy(database.app, request.member_id))
    const whose = { memberId: request.member_id, language: request.language }
    for (const [index, files] of [first, ...more].entries()) {
      const path = join(folder, `${index + 1}.zip`)
      const archive = await (index === 0 ? writeFirst(database.app, path, whose, files) : writeFiles(database.app, path, files))
      archives.push(await file.storeArchive(database.app, { ...archive, path, name: `teahouse-${index + 1}.zip` }))
      await rm(path)
    }
    const isTaken = await transact(database, (tx) => finish(tx, request, archives))
    if (!isTaken)
      await file.removeArchives(
        database.app,
        archives.map(({ id }) => id),
      )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** False where another process was quicker, or whoever asked is gone. */
async function finish(tx: Db, { id, member_id: memberId }: ExportRequest, archives: readonly file.StoredArchive[]): Promise<boolean> {
  const row = await tx
    .updateTable('data_download')
    .set({ state: 'ready', expires_at: sql`now() + ${retentionDays} * interval '1 day'` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('expires_at')
    .executeTakeFirst()
  if (!row?.expires_at) return false
  await file.addArchives(tx, memberId, archives)
  const files = archives.map(({ id: file_id }, index) => ({ download_id: id, number: index + 1, file_id }))
  await tx.insertInto('data_download_file').values(files).execute()
  await notification.notify(tx, memberId, { kind: 'dataReady', endsAt: row.expires_at.toISOString() })
  await contact.emailOwner(tx, memberId, 'dataReady')
  return true
}

async function recordFailure(db: Db, id: string): Promise<void> {
  await db
    .updateTable('data_download')
    // Tried again with the next run of the job.
    .set({ begun_at: sql`now() - interval '115 minutes'`, state: sql`case when tries >= ${maxTries} then 'failed' else 'waiting' end` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** So many together that no archive becomes larger than what any program opens. */
function splitIntoArchives<File extends { bytes: number }>(files: readonly File[]): File[][] {
  const archives: File[][] = [[]]
  let bytes = 0
  for (const one of files) {
    if (bytes + one.bytes > maxArchiveBytes && archives.at(-1)?.length) {
      archives.push([])
      bytes = 0
    }
    bytes += one.bytes
    archives.at(-1)?.push(one)
  }
  return archives
}
