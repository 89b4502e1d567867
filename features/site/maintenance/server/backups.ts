import { readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Missing } from '#base/contract.ts'

const aboutName = 'about.json'
const namePattern = /^[A-Za-z0-9][\w-]{0,99}$/
const leftoverPattern = /\.(unfinished|removed)-\d+$/
const leftoverMs = 86_400_000

const About = z.object({
  madeAt: z.iso.datetime(),
  by: z.string().nullable(),
  bytes: z.int(),
  rows: z.int(),
  files: z.int(),
})

export type Backup = { name: string; at: Date; by: string | null; bytes: number; rows: number; files: number }

/** The backups in the folder: rows would not match it after a restore. Newest first. */
export async function list(folder: string): Promise<Backup[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nothingIfMissing)
  const names = entries.filter((entry) => entry.isDirectory() && namePattern.test(entry.name)).map(({ name }) => name)
  const found = await Promise.all(names.map((name) => read(folder, name)))
  return found.filter((one) => one !== null).toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

/** The folder of a backup; missing where it does not exist. */
export async function folderOf(folder: string, name: string): Promise<string> {
  if (!namePattern.test(name) || !(await read(folder, name))) throw Missing()
  return join(folder, name)
}

/** Removes a backup from the list immediately; its disk space is freed by the next sweep. */
export async function remove(folder: string, name: string): Promise<void> {
  await rename(join(folder, name), join(folder, `${name}.removed-${process.pid}`)).catch(nothingIfMissing)
}

/** Deletes removed backups, and incomplete ones of processes that ended. */
export async function sweep(folder: string): Promise<void> {
  for (const { name } of await readdir(folder, { withFileTypes: true }).catch(nothingIfMissing)) {
    if (!leftoverPattern.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (name.includes('.removed-') || Date.now() - mtimeMs > leftoverMs) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Free and total disk space at a folder, which may not exist yet. */
export async function diskSpace(folder: string): Promise<{ free: number; total: number }> {
  const found = await statfs(folder).catch(nothingIfMissing)
  if (Array.isArray(found)) return diskSpace(dirname(folder))
  return { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}

async function read(folder: string, name: string): Promise<Backup | null> {
  const text = await readFile(join(folder, name, aboutName), 'utf8').catch(nothingIfMissing)
  if (typeof text !== 'string') return null
  const about = About.safeParse(JSON.parse(text))
  if (!about.success) return null
  const { madeAt, ...rest } = about.data
  return { name, at: new Date(madeAt), ...rest }
}

function nothingIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}
