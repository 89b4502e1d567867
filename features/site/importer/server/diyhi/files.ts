import { attachmentsOf } from '#base/rich-text/to-text.ts'
import { diyhiBody } from '#importer/server/body/diyhi-html.ts'
import type { Page, Range, SourceFile } from '#importer/server/source.ts'
import { pagesInTurn } from '#importer/server/tables/pages.ts'
import { flag, text, type Row } from '#importer/server/tables/source-tables.ts'
import { postscriptsOf } from '#importer/server/diyhi/threads.ts'
import { readOf, type Diyhi } from '#importer/server/diyhi/source.ts'

/** The tables whose texts show files, in the order of their marks. */
export const fileTables = ['topic', 'question', 'comment', 'answer']

/** Files as texts show them, once each: no table lists them. The id is the path. */
export async function* files(diyhi: Diyhi, range: Range): AsyncGenerator<Page<SourceFile>> {
  const seen = new Set<string>()
  const columns = ['userName', 'isStaff', 'content']
  const reads = fileTables.map((table, mark) => ({
    ...readOf(table, table === 'question' ? [...columns, 'appendContent'] : columns, range, mark),
    perPage: 50,
  }))
  yield* pagesInTurn(diyhi.tables, reads, range.after, (rows) => rows.flatMap((row) => filesIn(diyhi, row, seen)))
}

function filesIn(diyhi: Diyhi, row: Row, seen: Set<string>): SourceFile[] {
  const content = text(row, 'content', diyhi.decode)
  const later = row['appendContent'] === undefined ? [] : (postscriptsOf(diyhi, row) ?? [])
  const bodies = [...(content.includes('file/') ? [diyhiBody(content)] : []), ...later.map(({ body }) => body)]
  const ownerId = flag(row, 'isStaff') ? null : text(row, 'userName', diyhi.decode)
  return bodies
    .flatMap(({ document }) => attachmentsOf(document))
    .flatMap(({ file, name }) => {
      const path = file.slice('import:file/'.length)
      if (seen.has(path)) return []
      seen.add(path)
      return [{ id: path, ownerId, path, name: name.includes('.') ? name : path.slice(path.lastIndexOf('/') + 1) }]
    })
}
