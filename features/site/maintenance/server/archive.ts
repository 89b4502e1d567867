import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'

const block = 512
const longestName = 100
const longestPrefix = 155

/** A folder as a tar stream, with its exact length. */
export async function archiveOf(folder: string, name: string): Promise<{ bytes: number; stream: Readable }> {
  const files = await filesIn(folder)
  const bytes = files.reduce((sum, file) => sum + block + padded(file.bytes), 2 * block)
  return { bytes, stream: Readable.from(parts(folder, name, files)) }
}

type ArchivedFile = { path: string; bytes: number; at: Date }

async function filesIn(folder: string): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const files: ArchivedFile[] = []
  for (const path of paths.toSorted()) {
    const { size, mtime } = await stat(join(folder, path))
    files.push({ path, bytes: size, at: mtime })
  }
  return files
}

async function* parts(folder: string, name: string, files: readonly ArchivedFile[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    yield headOf(`${name}/${file.path}`, file)
    let sent = 0
    for await (const chunk of createReadStream(join(folder, file.path)) as AsyncIterable<Buffer>) {
      sent += chunk.length
      yield chunk
    }
    if (sent !== file.bytes) throw new Error(`${file.path} has ${sent} bytes of ${file.bytes}`)
    yield Buffer.alloc(padded(sent) - sent)
  }
  yield Buffer.alloc(2 * block)
}

/** The header of an entry, in the POSIX format `ustar`. */
function headOf(path: string, { bytes, at }: ArchivedFile): Buffer {
  const head = Buffer.alloc(block)
  const [prefix, name] = halvesOf(path)
  head.write(name, 0)
  head.write('0000600\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  writeSize(head, bytes)
  head.write(`${octal(Math.floor(at.getTime() / 1000), 11)}\0`, 136)
  head.write('        0', 148)
  head.write('ustar\u000000', 257)
  head.write(prefix, 345)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${octal(sum, 6)}\0 `, 148)
  return head
}

// Beyond eight gigabytes octal digits do not suffice; all current readers accept the binary number.
function writeSize(head: Buffer, bytes: number): void {
  if (bytes < 8 ** 11) return void head.write(`${octal(bytes, 11)}\0`, 124)
  head.writeUInt8(0x80, 124)
  head.writeBigUInt64BE(BigInt(bytes), 128)
}

function halvesOf(path: string): [string, string] {
  if (path.length <= longestName) return ['', path]
  const cut = path.indexOf('/', path.length - longestName - 1)
  if (cut < 0 || cut > longestPrefix) throw new Error(`${path} is too long for an archive`)
  return [path.slice(0, cut), path.slice(cut + 1)]
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function padded(bytes: number): number {
  return Math.ceil(bytes / block) * block
}
