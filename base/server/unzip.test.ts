import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { unzip } from '#base/server/unzip.ts'

const room = 1_000_000

function zipped(files: readonly (readonly [name: string, bytes: Buffer])[], compress = true): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, bytes] of files) zip.addBuffer(bytes, name, { compress })
  zip.end()
  return buffer(zip.outputStream)
}

const read = async (archive: Buffer, most = room) =>
  (await unzip(archive, most)).map(({ name, bytes }) => [name.toString(), bytes.toString()])

test('the files of an archive are read, packed or not, under any names', async () => {
  const files = [
    ['茶/one.csv', Buffer.from('tea '.repeat(1_000))],
    ['empty', Buffer.alloc(0)],
    ['两', Buffer.from('two')],
  ] as const
  const texts = files.map(([name, bytes]) => [name, bytes.toString()])
  for (const compress of [true, false]) expect(await read(await zipped(files, compress))).toEqual(texts)
  expect(await read(await zipped([]))).toEqual([])
})

test('with any content', async () => {
  const file = fc.tuple(fc.stringMatching(/^[a-z]{1,20}$/), fc.uint8Array())
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { selector: ([name]) => name, maxLength: 5 }), fc.boolean(), async (files, compress) => {
      const all = files.map(([name, bytes]) => [name, Buffer.from(bytes)] as const)
      const found = await unzip(await zipped(all, compress), room)
      expect(found.map(({ name, bytes }) => [name.toString(), bytes])).toEqual(all)
    }),
  )
})

test('a file that is no archive, is cut off, or was changed is not read', async () => {
  const right = await zipped([['one', Buffer.from('tea '.repeat(100))]], false)
  const changed = Buffer.from(right)
  changed.write('T', right.indexOf('tea'))
  for (const none of [Buffer.alloc(0), Buffer.from('<html>'), right.subarray(0, -30)])
    await expect(unzip(none, room)).rejects.toThrow('no archive')
  for (const damaged of [right.subarray(100), changed]) await expect(unzip(damaged, room)).rejects.toThrow(/damaged|out of range/)
  await expect(unzip(Buffer.from('PK\u0005\u0006'), room)).rejects.toThrow('out of range')
})

test('no more is unpacked than may be', async () => {
  const bomb = await zipped([
    ['one', Buffer.alloc(600_000)],
    ['two', Buffer.alloc(600_000)],
  ])
  expect(bomb.length).toBeLessThan(10_000)
  await expect(unzip(bomb, room)).rejects.toThrow('larger than 400000 bytes')
  await expect(unzip(await zipped([['one', Buffer.alloc(11)]], false), 10)).rejects.toThrow('more than it may')
  expect(await unzip(bomb, 1_200_000)).toHaveLength(2)
})

test('an unknown compression is reported', async () => {
  const archive = await zipped([['one', deflateRawSync(Buffer.from('tea'))]])
  const entry = archive.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  archive.writeUInt16LE(12, entry + 10)
  await expect(unzip(archive, room)).rejects.toThrow('packed in a way that is not known: 12')
})
