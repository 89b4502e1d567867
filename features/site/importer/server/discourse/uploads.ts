import { id, str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourceFile } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import type { Row } from '#importer/server/tables/source-tables.ts'

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const base = 62n
const maxDigits = 27
const sha1Length = 40

/** The SHA-1 that a short address has in base 62, without the zeros before it. Null for another number. */
export function sha1Of(base62: string): string | null {
  if (base62 === '' || base62.length > maxDigits) return null
  let number = 0n
  for (const digit of base62) {
    const value = digits.indexOf(digit)
    if (value < 0) return null
    number = number * base + BigInt(value)
  }
  const hex = number.toString(16)
  return hex.length > sha1Length ? null : hex.padStart(sha1Length, '0')
}

const shortAddress = /(?:^upload:\/\/|\/uploads\/short-url\/)([\da-zA-Z]{1,27})(?![\da-zA-Z])/
const longAddress = /\/(?:original|optimized)\/(?:\w{1,10}\/){0,9}([\da-f]{40})(?![\da-f])/
const oldestAddress = /\/(uploads\/\w{1,100}\/\d{1,10}\/[\da-f]{16}(?:\.\w{1,10})?)$/

/**
 * The id of the file at an address of an upload, on whatever host: its SHA-1. The oldest addresses have only a part of it, and are ids
 * themselves.
 */
export function fileIdAt(address: string): string | null {
  const path = address.split(/[?#]/)[0] ?? ''
  const [, short] = shortAddress.exec(path) ?? []
  if (short !== undefined) return sha1Of(short)
  return longAddress.exec(path)?.[1] ?? oldestAddress.exec(path)?.[1] ?? null
}

/** The files that a text may name. */
export function fileIdsIn(text: string): string[] {
  return text.split(/[\s"'()<>[\]]+/).flatMap((word) => fileIdAt(word) ?? [])
}

/** Where a stored address lies in the folder of files. What was stored elsewhere lies there under the same name. */
export function pathOf(url: string): string | null {
  const path = URL.parse(url, 'https://here.invalid/')?.pathname ?? ''
  const local = path.indexOf('/uploads/')
  if (local >= 0) return path.slice(local + 1)
  const original = path.indexOf('/original/')
  return original >= 0 ? `uploads/default${path.slice(original)}` : null
}

/** The folder of files may be the one above `uploads`, or that itself. */
export function uploadsIn(files: SourceFiles): SourceFiles {
  return { bytesOf: async (path) => (await files.bytesOf(path)) ?? files.bytesOf(path.replace(/^uploads\//, '')) }
}

/** Uploads that posts show: others are avatars, exports and pictures of the site. */
export async function* files({ tables }: Discourse, { after, since, upto }: Range): AsyncGenerator<Page<SourceFile>> {
  const columns = ['id', 'user_id', 'original_filename', 'url', 'sha1']
  const read = { table: 'uploads', columns, keys: numberKeys('id'), where: idsBetween('id', since, upto), perPage: 20 }
  const present = await tables.tables()
  yield* pagesOf(tables, read, after, async (rows) => {
    const ids = rows.map((row) => id(row, 'id'))
    const [now, before] = [
      await rowsBy(tables, { table: 'upload_references', columns: ['target_type'], column: 'upload_id' }, ids),
      await rowsBy(tables, { table: 'post_uploads', columns: [], column: 'upload_id' }, ids),
    ]
    const isShown = (its: string) => {
      if (present.includes('upload_references')) return (now.get(its) ?? []).some((row) => str(row, 'target_type') === 'Post')
      return before.has(its) || !present.includes('post_uploads')
    }
    return rows.flatMap((row) => (isShown(id(row, 'id')) ? filesOf(row) : []))
  })
}

/** One upload under each id that addresses have for it. */
function filesOf(row: Row): SourceFile[] {
  const url = str(row, 'url')
  const path = pathOf(url)
  if (path === null) return []
  const ids = new Set([str(row, 'sha1'), fileIdAt(url) ?? ''].filter(Boolean))
  return [...ids].map((its) => ({ id: its, ownerId: id(row, 'user_id'), path, name: str(row, 'original_filename') }))
}
