import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { z } from 'zod'
import { CannotStart } from '#base/server/cannot-start.ts'
import { isOutdated, migrations, releasedTable } from '#database/migrate.ts'

const name = z.string().regex(/^[a-z][a-z0-9_]*$/)
/** A table, with its schema unless that is the standard one. */
const qualifiedName = z.string().regex(/^([a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*$/)
const path = z.string().regex(/^(?!.*\.\.)[\w-][\w./-]*$/)
const measuredFile = z.object({ path, bytes: z.int().min(0), sha256: z.hex().length(64) })

const Manifest = z.object({
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(measuredFile.extend({ name: qualifiedName, columns: z.array(name), rows: z.int().min(0) })),
  /** The last value of each; null if it has none yet. */
  sequences: z.array(z.object({ name: qualifiedName, last: z.string().regex(/^\d+$/).nullable() })),
  files: z.array(measuredFile),
})

export type Manifest = z.output<typeof Manifest>
export type MeasuredFile = z.output<typeof measuredFile>

export const manifestName = 'manifest.json'
/** A summary of the backup for lists, because the manifest may be long. */
export const aboutName = 'about.json'

/** Reports progress. */
export type BackupProgress = (step: string, done: number, total: number) => void

class UnusableBackup extends CannotStart {
  /** The part of the backup concerned, for messages in other languages. */
  readonly subject: string
  constructor(message: string, about: string) {
    super(message)
    this.subject = about
  }
}

export class BackupDamaged extends UnusableBackup {
  override name = 'BackupDamaged'
}

export class BackupNewer extends UnusableBackup {
  override name = 'BackupNewer'
}

/** The quoted SQL identifier of a table or a sequence in a manifest. */
export function escapeIdentifier(placed: string): string {
  return placed.split('.').map(pg.escapeIdentifier).join('.')
}

/** The folder of uploaded files within a backup. */
export const filesFolder = 'files'

/** Reads the manifest and verifies every file. Refuses a backup that is damaged or newer than this program. */
export async function readManifest(folder: string, report: BackupProgress = () => undefined): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupDamaged(`${folder} holds no backup: there is no ${manifestName} to read.`, manifestName)
  })
  const result = Manifest.safeParse(fromJson(text))
  if (!result.success)
    throw new BackupDamaged(`The backup in ${folder} is damaged: its ${manifestName} is not as it was written.`, manifestName)
  const manifest = result.data
  const hasReleasedTable = manifest.tables.some((table) => table.name === releasedTable)
  if (isOutdated(manifest.migrations, hasReleasedTable))
    throw new CannotStart('This backup was made before the first release of Teahouse, and this version cannot read it.')
  const known = new Set(await migrations())
  const unknown = manifest.migrations.filter((one) => !known.has(one))
  if (unknown.length > 0) throw newerError(unknown.join(', '))
  const all = [...manifest.tables, ...manifest.files]
  for (const [place, file] of all.entries()) {
    report('checking', place, all.length)
    await assertIntact(folder, file)
  }
  return manifest
}

/** Writes a new file, flushed to disk, and returns its size and hash. */
export async function writeMeasured(source: Readable | AsyncIterable<Buffer>, folder: string, path: string): Promise<MeasuredFile> {
  const measure = measurement()
  await pipeline(source, measure.through, createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600, flush: true }))
  return { path, ...measure.result() }
}

/** Flushes a folder's entries to disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same for a folder and everything below it. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  }
  await syncFolder(folder)
}

async function assertIntact(folder: string, { path, bytes, sha256 }: MeasuredFile): Promise<void> {
  const measure = measurement()
  try {
    for await (const chunk of measure.through(createReadStream(join(folder, path)))) chunk satisfies Buffer
  } catch (error) {
    throw error instanceof Error && 'code' in error ? damagedError(path) : error
  }
  const found = measure.result()
  if (found.bytes !== bytes || found.sha256 !== sha256) throw damagedError(path)
}

function damagedError(path: string): BackupDamaged {
  return new BackupDamaged(`The backup is damaged: ${path} is not as it was written. Nothing was changed.`, path)
}

function newerError(unknown: string): BackupNewer {
  return new BackupNewer(`The backup is of a newer Teahouse, which has ${unknown}. Restore it with that version.`, unknown)
}

function measurement() {
  const hash = createHash('sha256')
  let bytes = 0
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
