import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'

const inflate = promisify(inflateRaw)

/** A file of an archive. The name is bytes, because archives do not state their encoding. */
export type ArchiveFile = { name: Buffer; bytes: Buffer }

const entrySignature = 0x02014b50

/**
 * The files of a ZIP archive without a password and below four gigabytes. Throws if it is damaged, or unpacks to more than the given size.
 */
export async function unzip(archive: Buffer, maxBytes: number): Promise<ArchiveFile[]> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (end < 0) throw new Error('That is no archive')
  const files: ArchiveFile[] = []
  let at = archive.readUInt32LE(end + 16)
  let remainingBytes = maxBytes
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new Error('The archive is damaged')
    const [nameLength, more] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)]
    const name = archive.subarray(at + 46, at + 46 + nameLength)
    const bytes = await fileAt(archive, at, remainingBytes)
    remainingBytes -= bytes.length
    files.push({ name, bytes })
    at += 46 + nameLength + more
  }
  return files
}

async function fileAt(archive: Buffer, at: number, remainingBytes: number): Promise<Buffer> {
  const [method, sum, packed] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)]
  const start = archive.readUInt32LE(at + 42)
  const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
  const bytes = await unpacked(archive.subarray(from, from + packed), method, remainingBytes)
  if (crc32(bytes) !== sum) throw new Error('The archive is damaged')
  return bytes
}

async function unpacked(bytes: Buffer, method: number, remainingBytes: number): Promise<Buffer> {
  if (method !== 0 && method !== 8) throw new Error(`The archive is packed in a way that is not known: ${method}`)
  // For a limit of 0, zlib would allow any size.
  const found = method === 8 ? await inflate(bytes, { maxOutputLength: Math.max(1, remainingBytes) }) : bytes
  if (found.length > remainingBytes) throw new RangeError('The archive holds more than it may')
  return found
}
