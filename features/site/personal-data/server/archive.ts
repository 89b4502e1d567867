import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql, type RawBuilder } from 'kysely'
import { ZipFile } from 'yazl'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { collect, featuresOf } from '#base/server/feature.ts'
import type { Db } from '#base/server/database/database.ts'
import { say, type Language } from '#base/server/words.ts'
import * as file from '#file/server/file.ts'
import { asMember } from '#message/server/message.ts'

type ArchiveOwner = { memberId: string; language: Language }
export type ArchiveFile = { bytes: number; sha256: Buffer }
type OwnedFile = Awaited<ReturnType<typeof file.ownedBy>>[number]

/** Writes what is kept of a member, as it stood at one moment, and some of their files. */
export function writeFirst(db: Db, path: string, owner: ArchiveOwner, files: readonly OwnedFile[]): Promise<ArchiveFile> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) =>
      asMember(tx, owner.memberId, (as) =>
        writeZip(path, (zip) => {
          zip.addBuffer(Buffer.from(`${say(owner.language, 'personalData.aboutArchive')}\n`), 'README.txt')
          for (const part of collect(featuresOf(db), 'archive'))
            addLazily(zip, `${part.name}.json`, true, async () => Readable.from(textOf(as, part, owner.memberId)))
          for (const one of files) addFile(db, zip, one)
        }),
      ),
    )
}

export function writeFiles(db: Db, path: string, files: readonly OwnedFile[]): Promise<ArchiveFile> {
  return writeZip(path, (zip) => {
    for (const one of files) addFile(db, zip, one)
  })
}

// One that was cleared away meanwhile is empty. Pictures and archives would not become smaller.
function addFile(db: Db, zip: ZipFile, one: OwnedFile): void {
  const name =
    one.name === null
      ? `files/${one.id}.${one.type.replace('image/', '')}`
      : `files/${one.id}-${one.name.replace(/[^\p{L}\p{M}\p{N}.()_-]+/gu, '_')}`
  addLazily(zip, name, false, async () => (await file.contentOf(db, one))?.stream ?? Readable.from([]))
}

/** Nothing is read before its turn, so that no more is kept in memory than what is on its way. */
function addLazily(zip: ZipFile, name: string, compress: boolean, open: () => Promise<Readable>): void {
  zip.addReadStreamLazy(name, { compress }, (take) => {
    open().then(
      // An error in one file fails the whole archive.
      (stream) =>
        take(
          null,
          stream.on('error', (error) => zip.emit('error', error)),
        ),
      (error: unknown) => take(error, Readable.from([])),
    )
  })
}

async function writeZip(path: string, fill: (zip: ZipFile) => void): Promise<ArchiveFile> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  fill(zip)
  zip.end()
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  await pipeline(output, counted, createWriteStream(path))
  return { bytes, sha256: hash.digest() }
}

async function* textOf(db: Db, part: ArchivePart, memberId: string): AsyncIterable<string> {
  if ('all' in part) {
    yield `${JSON.stringify(await part.all(db, memberId), null, 2)}\n`
    return
  }
  let between = '[\n'
  for await (const row of rowsOf(db, part.rows(memberId))) {
    yield between + JSON.stringify(row)
    between = ',\n'
  }
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

async function* rowsOf(db: Db, query: RawBuilder<unknown>): AsyncIterable<unknown> {
  await sql`declare personal_data no scroll cursor for ${query}`.execute(db)
  for (;;) {
    const { rows } = await sql`fetch 100 from personal_data`.execute(db)
    if (rows.length === 0) break
    yield* rows
  }
  await sql`close personal_data`.execute(db)
}
