import type { Page, Range, SourceFile } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import type { Row } from '#importer/server/tables/source-tables.ts'
import { id, plainText, type Flarum } from '#importer/server/flarum/source.ts'

/** Its id is its path below `assets/files/`, by which addresses name it. */
export type UploadedFile = { id: string; name: string }

const table = 'fof_upload_files'
const local = 'local'

/** The files of the extension for uploads that lie in the folder of the site. */
export async function* files(flarum: Flarum, { after, since, upto }: Range): AsyncGenerator<Page<SourceFile>> {
  const columns = ['id', 'actor_id', 'base_name', 'path', 'upload_method']
  const read = { table: flarum.table(table), columns, keys: numberKeys('id'), where: idsBetween('id', since, upto), perPage: 20 }
  yield* pagesInTurn(flarum.tables, [read], after, (rows) =>
    rows.flatMap((row): SourceFile[] => {
      const file = fileIn(flarum, row)
      return file ? [{ ...file, ownerId: row['actor_id'] === null ? null : id(row, 'actor_id'), path: `assets/files/${file.id}` }] : []
    }),
  )
}

/** Uploads with one of these values in the column, by it. */
export async function localFiles(flarum: Flarum, column: 'uuid' | 'path', values: readonly string[]): Promise<Map<string, UploadedFile>> {
  const columns = ['uuid', 'base_name', 'path', 'upload_method']
  const rows = await rowsBy(flarum.tables, { table: flarum.table(table), columns, column }, values)
  return new Map(
    [...rows].flatMap(([value, its]) => {
      const file = its.map((row) => fileIn(flarum, row)).find((one) => one !== null)
      return file ? [[column === 'path' ? file.id : value, file] as const] : []
    }),
  )
}

// A server with Windows writes the path its own way.
function fileIn(flarum: Flarum, row: Row): UploadedFile | null {
  const path = plainText(flarum, row, 'path').replaceAll('\\', '/').replace(/^\/+/, '')
  const isWithin = path !== '' && !path.split('/').includes('..')
  if (!isWithin || plainText(flarum, row, 'upload_method') !== local) return null
  return { id: path, name: plainText(flarum, row, 'base_name') || path.slice(path.lastIndexOf('/') + 1) }
}

/** The path of an upload in an address, whatever the site was called then. */
export function pathIn(address: string): string | null {
  return /\/assets\/files\/([^?#]+)/.exec(address)?.[1] ?? null
}
