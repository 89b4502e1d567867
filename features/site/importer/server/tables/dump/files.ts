import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { CannotStart } from '#base/server/cannot-start.ts'
import { half } from '#importer/server/tables/dump/half.ts'

const dumpName = /\.sql(\.gz|\.zst)?$/i
const pieceBytes = 1 << 18

/** The files of a dump: itself, or those of a folder in the order of their numbers, as Discuz! parts its backups. */
export async function dumpFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new CannotStart(`There is no ${path}. Name a file that ends in .sql or .sql.gz, or a folder of such files.`)
  if (!found.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => dumpName.test(name))
  if (names.length === 0) throw new CannotStart(`${path} has no file that ends in .sql or .sql.gz. Name another folder.`)
  names.sort(new Intl.Collator('en', { numeric: true }).compare)
  return names.map((name) => join(path, name))
}

/** The bytes of a file, unpacked. */
export async function* bytesOfDump(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of unpacked(path)) yield piece as Buffer
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (/^(Z_|ERR_ZSTD|ZSTD_)/.test(String(error.code))) throw half(`${path} cannot be unpacked (${error.message})`)
    throw new CannotStart(`${path} cannot be read: ${error.message}.`, { cause: error })
  }
}

function unpacked(path: string): Readable {
  const file = createReadStream(path, { highWaterMark: pieceBytes })
  const unpacker = /\.gz$/i.test(path) ? createGunzip({ chunkSize: pieceBytes }) : /\.zst$/i.test(path) ? createZstdDecompress() : null
  // The error reaches the reader of the last stream.
  return unpacker ? pipeline(file, unpacker, () => undefined) : file
}
