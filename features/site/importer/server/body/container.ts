import type { Align, Cell, Item } from '#base/rich-text/document.ts'
import type { MarkDepths } from '#importer/server/body/open-marks.ts'
import type { Piece } from '#importer/server/body/pieces.ts'

/** A part that holds others. A list without a start has bullets. */
export type Container =
  | { type: 'root' | 'blockquote' | 'item' | 'table' | 'row' }
  | { type: 'list'; start: number | null }
  | { type: 'cell'; align: Align }
  | { type: 'heading'; level: 2 | 3 | 4 }

export type OpenContainer = {
  container: Container
  pieces: Piece[]
  items: Item[]
  rows: Cell[][]
  cells: Cell[]
  /** Blocks that find no place within, and follow. */
  behind: Piece[]
  marksBefore: MarkDepths
  /** How many that began within are set out flat. */
  flat: Map<Container['type'], number>
  /** The pieces before were taken away. */
  goesOn: boolean
}
