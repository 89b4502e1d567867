import { statSync } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { CannotStart } from '#base/server/cannot-start.ts'

/** The folder of a forum's files. */
export type SourceFiles = {
  /** Null where there is no such file; nothing of one that is larger than memory is for. */ bytesOf(path: string): Promise<Buffer | null>
}

const maxBytes = 200_000_000

/** Files in a folder; a path that leads out of it, by dots or a link, is no file of the forum. */
export function filesIn(folder: string | null): SourceFiles {
  if (folder !== null && !isFolder(folder))
    throw new CannotStart(`There is no folder ${folder}. Name the folder of the forum’s files, or leave --files out.`)
  return {
    async bytesOf(path) {
      if (folder === null) return null
      try {
        const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))])
        if (!file.startsWith(root + sep)) return null
        await using handle = await open(file, 'r')
        const stored = await handle.stat()
        if (!stored.isFile()) return null
        return stored.size > maxBytes ? Buffer.alloc(0) : await handle.readFile()
      } catch (error) {
        if (isMissing(error)) return null
        if (isForbidden(error))
          throw new CannotStart(`${join(folder, path)} may not be read by you. Run the import as a user who may.`, { cause: error })
        throw error
      }
    },
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'])

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missing.has(String(error.code))
}
