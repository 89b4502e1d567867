import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, opendir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOurs, type Storage, type StoredContent } from '#file/server/storage-types.ts'

/** A storage in a local folder. */
export function diskStorage(folder: string): Storage {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (name: string) => join(folder, ...shelfOf(name), name)

  // Written to a temporary name and then renamed, so that no reader sees half a file.
  async function shelve(name: string, make: (path: string) => Promise<void>): Promise<void> {
    const path = pathOf(name)
    const temporary = join(unfinished, randomUUID())
    await mkdir(unfinished, { recursive: true })
    try {
      await make(temporary)
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
      else if (isOurs(entry.name)) yield entry.name
    }
  }

  return {
    put: (name, content) => shelve(name, (path) => write(path, content)),
    list,
    async get(name, part) {
      const handle = await open(pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfMissing)
      if (!handle) return null
      const { size } = await handle.stat()
      return { bytes: size, stream: handle.createReadStream(part && { start: part.from, end: part.to }) }
    },
    copy: (name, other) =>
      shelve(other, async (path) => {
        await copyFile(pathOf(name), path, constants.COPYFILE_EXCL)
        await sync(path)
      }),
    async remove(name) {
      await unlink(pathOf(name)).catch(nullIfMissing)
    },
    admit: async () => null,
  }
}

// Some file systems ignore case, and a folder should not grow without bound.
function shelfOf(name: string): [string, string] {
  const id = name.split('.')[0] ?? name
  const hash = createHash('sha256').update(id).digest('hex')
  return [hash.slice(0, 2), hash.slice(2, 4)]
}

async function write(path: string, content: Uint8Array | StoredContent): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content instanceof Uint8Array ? content : content.stream)
    await handle.sync()
    const { size } = await handle.stat()
    if (!(content instanceof Uint8Array) && size !== content.bytes) throw new Error(`${size} of ${content.bytes} bytes came`)
  } finally {
    await handle.close()
  }
}

// A new folder must be durable, too, and so must its entry in the parent.
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
