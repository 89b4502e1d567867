import type { Block, Cell, Item } from '#base/rich-text/document.ts'
import type { OpenContainer } from '#importer/server/body/container.ts'
import { blocksOf, orParagraph, paragraphOf } from '#importer/server/body/pieces.ts'
import { tablesOf } from '#importer/server/body/table.ts'

/** Puts a finished container into the one around. What is empty is left out, except an item and a cell that was written. */
export function finished(closed: OpenContainer, parent: OpenContainer): void {
  const { container, pieces, cells, behind, goesOn } = closed
  if (container.type === 'item') {
    const blocks = blocksOf(pieces)
    if (blocks.length > 0 || !goesOn) parent.items.push({ type: 'listItem', content: orParagraph(blocks) })
  } else if (container.type === 'cell') {
    const cell: Cell = { type: 'tableCell', attrs: { align: container.align }, content: [paragraphOf(pieces)] }
    if (pieces.length > 0 || !goesOn) parent.cells.push(cell)
  } else if (container.type === 'row') {
    if (cells.length > 0) parent.rows.push(cells)
  } else for (const block of blocksIn(closed)) parent.pieces.push(block)
  const place = container.type === 'cell' || container.type === 'row' ? parent.behind : parent.pieces
  for (const block of behind) place.push(block)
}

function blocksIn({ container, pieces, items, rows }: OpenContainer): Block[] {
  if (container.type === 'table') return tablesOf(rows)
  if (container.type === 'list') return items.length > 0 ? [listOf(container.start, items)] : []
  if (container.type === 'heading') return [{ type: 'heading', attrs: { level: container.level }, content: paragraphOf(pieces).content }]
  const content = blocksOf(pieces)
  return content.length > 0 ? [{ type: 'blockquote', content }] : []
}

function listOf(start: number | null, content: Item[]): Block {
  return start === null ? { type: 'bulletList', content } : { type: 'orderedList', attrs: { start }, content }
}
