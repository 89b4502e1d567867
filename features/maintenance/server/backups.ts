import { readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Missing } from '#base/contract.ts'

const aboutName = 'about.json'
const named = /^[A-Za-z0-9][\w-]{0,99}$/
const leftOver = /\.(unfinished|removed)-\d+$/
const leftOverMs = 86_400_000

const About = z.object({
  madeAt: z.iso.datetime(),
  by: z.string().nullable(),
  bytes: z.int(),
  rows: z.int(),
  files: z.int(),
})

export type Backup = { name: string; at: Date; by: string | null; bytes: number; rows: number; files: number }

/** What lies in the folder is what there is: rows would not know of it after a restore. Newest first. */
export async function list(folder: string): Promise<Backup[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nothingIfMissing)
  const names = entries.filter((entry) => entry.isDirectory() && named.test(entry.name)).map(({ name }) => name)
  const found = await Promise.all(names.map((name) => read(folder, name)))
  return found.filter((one) => one !== null).toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

/** The folder of a backup; one that is not there is missing. */
export async function folderOf(folder: string, name: string): Promise<string> {
  if (!named.test(name) || !(await read(folder, name))) throw Missing()
  return join(folder, name)
}

/** Takes a backup off the list at once; what it weighs goes with the next sweep. */
export async function remove(folder: string, name: string): Promise<void> {
  await rename(join(folder, name), join(folder, `${name}.removed-${process.pid}`)).catch(nothingIfMissing)
}

/** Clears away what was removed, and what somebody began who is gone. */
export async function sweep(folder: string): Promise<void> {
  for (const { name } of await readdir(folder, { withFileTypes: true }).catch(nothingIfMissing)) {
    if (!leftOver.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (name.includes('.removed-') || Date.now() - mtimeMs > leftOverMs) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** How much room there is on the disk of a folder, which may not be there yet. */
export async function roomIn(folder: string): Promise<{ free: number; total: number }> {
  const found = await statfs(folder).catch(nothingIfMissing)
  if (Array.isArray(found)) return roomIn(dirname(folder))
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
