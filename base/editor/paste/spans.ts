const maxWidth = 100
const maxCells = 20_000

/** Splits cells that span columns or rows: the text stays in the first one, and the others are empty. */
export function splitSpans(table: HTMLTableElement): void {
  const rows = [...table.rows]
  const grid = rows.map((): (HTMLTableCellElement | null)[] => [])
  let [width, covered] = [0, 0]
  for (const [at, row] of rows.entries()) {
    let column = 0
    for (const cell of row.cells) {
      while (grid[at]?.[column] !== undefined) column++
      width = Math.max(width, column + 1)
      const below = cell.rowSpan > 0 ? Math.min(cell.rowSpan, rows.length - at) : rows.length - at
      const columns = Math.min(cell.colSpan, maxWidth)
      covered += below * columns
      const isTooMuch = covered > maxCells
      cover(grid.slice(at, at + (isTooMuch ? 1 : below)), column, isTooMuch ? 1 : columns, cell)
    }
  }
  // A table this large would consist mostly of empty cells.
  if (width * rows.length > maxCells) return
  for (const [at, row] of rows.entries()) {
    row.replaceChildren(...Array.from({ length: width }, (_, column) => grid[at]?.[column] ?? row.ownerDocument.createElement('td')))
  }
}

function cover(rows: (HTMLTableCellElement | null)[][], from: number, columns: number, cell: HTMLTableCellElement): void {
  for (const [below, row] of rows.entries()) {
    for (let column = from; column < from + columns; column++) row[column] ??= below === 0 && column === from ? cell : null
  }
  cell.removeAttribute('colspan')
  cell.removeAttribute('rowspan')
}
