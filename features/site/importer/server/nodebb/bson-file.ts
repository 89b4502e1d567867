import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { CannotStart } from '#base/server/cannot-start.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'

const bson = lazyPackage((load) => load('bson') as typeof import('bson'))

// MongoDB stores at most 16 MiB in a document, with some room for what it adds itself.
const maxLength = 17 * 1024 ** 2
const minLength = 5

/** The documents of a file of `mongodump`, which stand in it one after another. The file need not fit into memory. */
export async function* documentsIn(path: string): AsyncGenerator<Record<string, unknown>> {
  const { deserialize, BSONError } = bson()
  try {
    for await (const bytes of framesIn(bytesOf(path), path)) yield deserialize(bytes, { useBigInt64: true, validation: { utf8: false } })
  } catch (error) {
    if (error instanceof BSONError || isOfGzip(error)) throw new CannotStart(brokenAt(path), { cause: error })
    throw error
  }
}

function bytesOf(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: 1024 ** 2 })
  if (!path.endsWith('.gz')) return file
  const unzipped = createGunzip({ chunkSize: 1024 ** 2 })
  file.on('error', (error) => unzipped.destroy(error))
  return file.pipe(unzipped)
}

/** Each document begins with its own length. */
async function* framesIn(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let [parts, held]: [Buffer[], number] = [[], 0]
  let needed = 4
  for await (const chunk of chunks) {
    parts.push(chunk)
    held += chunk.length
    if (held < needed) continue
    const bytes = parts.length === 1 ? chunk : Buffer.concat(parts)
    let at = 0
    for (needed = 4; bytes.length - at >= needed;) {
      const length = bytes.readInt32LE(at)
      if (length < minLength || length > maxLength) throw new CannotStart(brokenAt(path))
      needed = length
      if (bytes.length - at < length) break
      yield bytes.subarray(at, at + length)
      at += length
      needed = 4
    }
    parts = [bytes.subarray(at)]
    held = bytes.length - at
  }
  if (held > 0) throw new CannotStart(brokenAt(path))
}

function isOfGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function brokenAt(path: string): string {
  return `${path} is no whole dump: it is damaged or ends in the middle. Run mongodump again, or copy the file again.`
}
