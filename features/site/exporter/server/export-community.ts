import { createWriteStream } from 'node:fs'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { programVersion } from '#base/server/program-version.ts'
import { comments } from '#exporter/server/comments.ts'
import type { Exported } from '#exporter/server/exported.ts'
import { copyFiles, files } from '#exporter/server/files.ts'
import * as marks from '#exporter/server/marks.ts'
import { members } from '#exporter/server/members.ts'
import { groups, tags } from '#exporter/server/tags.ts'
import { moved, threads } from '#exporter/server/threads.ts'
import * as importer from '#importer/server/importer.ts'
import * as setting from '#setting/server/setting.ts'

export type ExportRequest = {
  database: Database
  ownerUrl: string
  /** A new folder. */
  folder: string
  secrets: ReadonlySet<importer.SecretName>
  /** The address of the forum, if it is known. */
  address: string | null
  report(kind: importer.Kind | 'bytes', done: number, total: number): void
}

type Summary = { counts: Record<importer.Kind, number>; /** Files that are missing in this forum. */ missing: number }

/**
 * Writes the whole community, as it is at one moment, into a folder that gets its name when all of it is there. The forum may go on meanwhile.
 */
export async function exportCommunity(request: ExportRequest): Promise<Summary> {
  const { folder } = request
  await assertNew(folder)
  const unfinished = `${folder}.unfinished-${process.pid}`
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    const counts = await importer.withOwner(request, ({ app }) =>
      app
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => writeRows(tx, unfinished, request)),
    )
    const most = counts.files + counts.members
    const { copied, missing } = await copyFiles(request.database.app, unfinished, (done) => request.report('bytes', done, most))
    request.report('bytes', copied, copied)
    await rename(unfinished, folder)
    return { counts, missing }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw explained(error, folder)
  }
}

async function assertNew(folder: string): Promise<void> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw new CannotStart(`${folder} is not a folder that an export can be written to.`, { cause: error })
  })
  if (found) throw new CannotStart(`${folder} is there already. Name a new folder.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function explained(error: unknown, folder: string): unknown {
  const code = codeOf(error)
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return new CannotStart(`There is no room for the export on the disk of ${folder}. Nothing of it was kept.`)
  return ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)
    ? new CannotStart(`Nothing can be written to ${dirname(folder)}. Name a folder of your own.`)
    : error
}

async function writeRows(tx: Db, folder: string, request: ExportRequest): Promise<Record<importer.Kind, number>> {
  const all = allKinds(request.secrets)
  const counted: [importer.Kind, number][] = []
  for (const kind of importer.kinds) counted.push([kind, await all[kind].count(tx)])
  const counts = Object.fromEntries(counted) as Record<importer.Kind, number>
  const manifest = await manifestOf(tx, request, counts)
  for (const kind of importer.kinds) {
    const report = (done: number) => request.report(kind, done, counts[kind])
    const lines = linesOf({ ...manifest, kind }, all[kind].rows(tx), report)
    await pipeline(
      Readable.from(lines),
      createWriteStream(join(folder, importer.fileNameOf(kind)), { flags: 'wx', mode: 0o600, flush: true }),
    )
  }
  return counts
}

function allKinds(secrets: ReadonlySet<importer.SecretName>): { [K in importer.Kind]: Exported<K> } {
  const { accepted, votes, unlocks, likes, favourites, follows, readPositions, messages } = marks
  return {
    groups,
    tags,
    members: members(secrets),
    files: files(secrets),
    threads: threads(secrets),
    moved,
    comments: comments(secrets),
    accepted,
    votes,
    unlocks,
    likes,
    favourites,
    follows,
    readPositions,
    messages: messages(secrets),
  }
}

async function manifestOf(tx: Db, { database, secrets, address }: ExportRequest, counts: Record<importer.Kind, number>) {
  const { title } = await setting.all(database.app)
  const highest: [string, bigint][] = []
  for (const table of importer.keptTables) {
    const { rows } = await sql<{
      last: string
    }>`select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)::text as last`.execute(tx)
    highest.push([table, BigInt(rows[0]?.last ?? 0)])
  }
  return {
    format: importer.formatVersion,
    program: 'teahouse' as const,
    version: programVersion,
    title,
    address,
    madeAt: new Date().toISOString(),
    secrets: importer.secretNames.filter((name) => secrets.has(name)),
    counts,
    highestIds: Object.fromEntries(highest),
  }
}

/** The manifest, a line for each row, and the end, by which a file that was cut is known. */
async function* linesOf(
  manifest: Pick<importer.Manifest, 'kind' | 'counts'>,
  rows: AsyncGenerator<object>,
  report: (done: number) => void,
): AsyncGenerator<string> {
  const { kind, counts } = manifest
  yield importer.lineOf(manifest)
  let done = 0
  for await (const row of rows) {
    yield importer.lineOf(row)
    if (++done % 500 === 0) report(done)
  }
  if (done !== counts[kind]) throw new Error(`${done} rows of ${kind} were written, and ${counts[kind]} were counted`)
  yield importer.lineOf({ end: kind, rows: done })
  report(done)
}
