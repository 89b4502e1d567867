import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The folder of a forum's files. */
export type SourceFiles = { /** Null where there is no such file. */ bytesOf(path: string): Promise<Buffer | null> }

/** Files in a folder; a path that leads out of it, by dots or a link, is no file of the forum. */
export function filesIn(folder: string | null): SourceFiles {
  return {
    async bytesOf(path) {
      if (folder === null) return null
      try {
        const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))])
        if (!file.startsWith(root + sep)) return null
        await using handle = await open(file, 'r')
        return (await handle.stat()).isFile() ? await handle.readFile() : null
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'])

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missing.has(String(error.code))
}
