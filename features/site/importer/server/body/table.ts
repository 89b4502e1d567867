import type { Block, Cell, Inline, Paragraph } from '#base/rich-text/document.ts'

type Row = { type: 'tableRow'; content: Cell[] }
type Table = Extract<Block, { type: 'table' }>

/** The levels from a table down to its text. */
export const tableHeight = 4
/** The size that a table may have, as its validation counts it. */
const [maxRows, maxCells] = [200, 30]

/** Rows as a table, or as several where it is too long for one; as paragraphs where it is too wide. */
export function tablesOf(rows: readonly (readonly Cell[])[]): Block[] {
  const content = rows.filter((cells) => cells.length > 0).map((cells): Row => ({ type: 'tableRow', content: [...cells] }))
  if (content.some((row) => row.content.length > maxCells)) return withoutTable({ type: 'table', content })
  const tables: Block[] = []
  for (let at = 0; at < content.length; at += maxRows) tables.push({ type: 'table', content: content.slice(at, at + maxRows) })
  return tables
}

/** A paragraph for each row, for a place where no table may stand. */
export function withoutTable(table: Table): Paragraph[] {
  return table.content.map((row) => ({ type: 'paragraph', content: row.content.flatMap(besideTheNext) }))
}

function besideTheNext(cell: Cell, index: number): Inline[] {
  return [...(index > 0 ? [{ type: 'text', text: ' ' } as const] : []), ...(cell.content[0].content ?? [])]
}
