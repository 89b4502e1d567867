import { str, type Discourse } from '#importer/server/discourse/source.ts'
import { fileIdAt, pathOf } from '#importer/server/discourse/upload-address.ts'
import type { Page, Range, SourceFile } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import { id, type Row } from '#importer/server/tables/source-tables.ts'

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
