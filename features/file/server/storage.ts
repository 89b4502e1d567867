import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

export type Stored = { bytes: number; stream: Readable }

/** Where files lie. A name says its owner first: `<file id>.webp`, `<file id>.240.webp`. */
export type Storage = {
  /** Whole and safe on the medium when it returns; a name that exists is replaced. */
  put(name: string, bytes: Uint8Array): Promise<void>
  get(name: string): Promise<Stored | null>
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>
  /** All that was put before a time, in no order. */
  list(before: Date): AsyncIterable<string>
}

let current: Storage | null = null

/** Keeps the files of this process under the program's data, from now on. */
export function openStorage(dataDir: string): Storage {
  current = diskStorage(join(dataDir, 'files'))
  return current
}

export function storage(): Storage {
  if (!current) throw new Error('No storage is open')
  return current
}

export function diskStorage(folder: string): Storage {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (name: string) => join(folder, ...shelfOf(name), name)

  async function put(name: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(name)
    const temporary = join(unfinished, randomUUID())
    await mkdir(unfinished, { recursive: true })
    try {
      await write(temporary, bytes)
      await makeFolder(dirname(path), folder)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await sync(dirname(path))
  }

  async function* list(before: Date): AsyncIterable<string> {
    for await (const entry of await opendirOrNothing(folder)) {
      if (!entry.isFile()) continue
      const { mtime } = await stat(join(entry.parentPath, entry.name))
      if (mtime >= before) continue
      if (entry.parentPath === unfinished) await rm(join(unfinished, entry.name), { force: true })
      else yield entry.name
    }
  }

  return {
    put,
    list,
    async get(name) {
      const handle = await open(pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfMissing)
      return handle && { bytes: (await handle.stat()).size, stream: handle.createReadStream() }
    },
    async remove(name) {
      await unlink(pathOf(name)).catch(nullIfMissing)
    },
  }
}

// Some disks do not tell upper from lower case, and no folder shall grow without end.
function shelfOf(name: string): [string, string] {
  const id = name.split('.')[0] ?? name
  const hash = createHash('sha256').update(id).digest('hex')
  return [hash.slice(0, 2), hash.slice(2, 4)]
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// A folder that is new must be on the medium too, and so the entry of it in the one above.
async function makeFolder(path: string, root: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) === undefined) return
  await sync(dirname(path))
  await sync(root)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function opendirOrNothing(folder: string) {
  await mkdir(folder, { recursive: true })
  return opendir(folder, { recursive: true })
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
