import { mkdir, open, opendir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CannotStart } from '#base/server/cannot-start.ts'
import {
  aboutName,
  escapeIdentifier,
  filesFolder,
  manifestName,
  syncFolder,
  syncTree,
  writeMeasured,
  type Manifest,
  type MeasuredFile,
  type BackupProgress,
} from '#database/backup-folder.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { schemas } from '#database/migrate.ts'

type BackupOptions = {
  ownerUrl: string
  files: string
  folder: string
  now: Date
  /** The account that requested it; null for a scheduled backup. */
  requestedBy?: string | null
  tell?: BackupProgress
}

/**
 * Writes a snapshot of all tables and the uploaded files into a folder that appears only when it is complete. The forum may keep running:
 * writers are not blocked.
 */
export async function writeBackup({
  ownerUrl,
  files,
  folder,
  now,
  requestedBy = null,
  tell = () => undefined,
}: BackupOptions): Promise<Manifest> {
  await assertEmptyFolder(folder)
  const unfinished = `${folder}.unfinished-${process.pid}`
  try {
    await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 })
    // Files are copied after the rows that name them; later uploads do no harm.
    const rows = await inSnapshot(ownerUrl, (client) => copyRows(client, unfinished, tell))
    const manifest = { madeAt: now.toISOString(), ...rows, files: await copyFiles(files, unfinished, tell) }
    const { bytes } = await writeMeasured(jsonText(manifest), unfinished, manifestName)
    await writeMeasured(jsonText(summaryOf(manifest, bytes, requestedBy)), unfinished, aboutName)
    await syncTree(unfinished)
    await rename(unfinished, folder)
    await syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw explained(error, folder)
  }
}

/** No space for this account or for so large a file, as the system or the database reports it. */
const noSpaceCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', '53100']
const deniedCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

function explained(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (noSpaceCodes.includes(code)) return new NoSpace(folder)
  return deniedCodes.includes(code) ? new CannotStart(`Nothing can be written to ${dirname(folder)}. Name a folder of your own.`) : error
}

/** The unfinished backup has been deleted. */
export class NoSpace extends CannotStart {
  override name = 'NoRoom'
  constructor(folder: string) {
    super(`There is no room for the backup on the disk of ${folder}. Nothing of it was kept; make room, or name a folder on another disk.`)
  }
}

async function assertEmptyFolder(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new CannotStart(`${folder} is not a folder that a backup can be written to.`)
  })
  if (found.length > 0) throw new CannotStart(`${folder} holds something already. Name a new folder.`)
}

async function inSnapshot<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAsOwner(ownerUrl)
  try {
    await client.query('begin isolation level repeatable read read only')
    // Makes the copy fail rather than let row-level security hide rows.
    await client.query("set local row_security = off; set local datestyle = 'ISO'; set local extra_float_digits = 1")
    return await work(client)
  } finally {
    await client.end()
  }
}

async function copyRows(client: pg.Client, folder: string, report: BackupProgress): Promise<Omit<Manifest, 'madeAt' | 'files'>> {
  const tables: Manifest['tables'] = []
  const all = await tablesOf(client)
  for (const { name, columns } of all) {
    report('rows', tables.length, all.length)
    const rows = client.query(
      copyTo(`copy ${escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')}) to stdout`),
    )
    const zipped = rows.pipe(createGzip({ level: 4 }))
    rows.on('error', (error) => zipped.destroy(error))
    const file = await writeMeasured(zipped, folder, `tables/${name}.gz`)
    tables.push({ name, columns, rows: rows.rowCount, ...file })
  }
  const migrations = await client.query<{ name: string }>('select name from migration order by name')
  const sequences = await client.query<{ name: string; last: string | null }>(
    `select case schemaname when 'public' then '' else schemaname || '.' end || sequencename as name, last_value::text as last from pg_sequences
     where schemaname = any($1) order by 1`,
    [schemas],
  )
  return { migrations: migrations.rows.map((row) => row.name), tables, sequences: sequences.rows }
}

// Work in progress would count as unfinished wherever the backup is restored.
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `
    select case nspname when 'public' then '' else nspname || '.' end || relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where nspname = any($1) and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
      and relname not in ('maintenance_task', 'invalidation', 'rules', 'guard_wording', 'kind')
    group by nspname, relname order by 1`,
    [schemas],
  )
  return rows
}

async function copyFiles(source: string, folder: string, report: BackupProgress): Promise<MeasuredFile[]> {
  const copied: MeasuredFile[] = []
  for await (const path of filesIn(source)) {
    report('files', copied.length, 0)
    const handle = await open(join(source, path)).catch(nullIfMissing)
    if (!handle) continue
    const target = join(filesFolder, path)
    await mkdir(join(folder, dirname(target)), { recursive: true, mode: 0o700 })
    copied.push(await writeMeasured(handle.createReadStream(), folder, target))
  }
  return copied
}

// Unfinished uploads are in a folder of that name.
async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder, { recursive: true }).catch(nullIfMissing)
  if (!entries) return
  for await (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (entry.isFile() && !path.startsWith('unfinished')) yield path
  }
}

function summaryOf({ madeAt, tables, files }: Manifest, ownBytes: number, by: string | null) {
  const bytes = [...tables, ...files].reduce((sum, file) => sum + file.bytes, ownBytes)
  return { madeAt, by, bytes, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.length }
}

async function* jsonText(value: object): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

// An unused upload may be deleted during the copy.
function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
