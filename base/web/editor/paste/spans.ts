const widest = 100

/** Cells that lie over several columns or rows: their text stands in the first of these, and the others are empty. */
export function withoutSpans(table: HTMLTableElement): void {
  const rows = [...table.rows]
  const grid = rows.map((): (HTMLTableCellElement | null)[] => [])
  let width = 0
  for (const [at, row] of rows.entries()) {
    for (const cell of row.cells) {
      const column = firstFree(grid[at] ?? [])
      width = Math.max(width, column + 1)
      cover(grid.slice(at, cell.rowSpan > 0 ? at + cell.rowSpan : rows.length), column, cell)
    }
  }
  for (const [at, row] of rows.entries()) {
    row.replaceChildren(...Array.from({ length: width }, (_, column) => grid[at]?.[column] ?? row.ownerDocument.createElement('td')))
  }
}

function firstFree(row: readonly unknown[]): number {
  const gap = Array.from(row).indexOf(undefined)
  return gap < 0 ? row.length : gap
}

function cover(rows: (HTMLTableCellElement | null)[][], from: number, cell: HTMLTableCellElement): void {
  const columns = Math.min(cell.colSpan, widest)
  for (const [below, row] of rows.entries()) {
    for (let column = from; column < from + columns; column++) row[column] ??= below === 0 && column === from ? cell : null
  }
  cell.removeAttribute('colspan')
  cell.removeAttribute('rowspan')
}
