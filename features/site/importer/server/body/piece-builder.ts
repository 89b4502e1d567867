import type { Inline, Mark } from '#base/rich-text/document.ts'
import type { Container, OpenContainer } from '#importer/server/body/container.ts'
import { finished } from '#importer/server/body/finished-container.ts'
import * as marks from '#importer/server/body/open-marks.ts'
import { isInline, type Piece } from '#importer/server/body/pieces.ts'

/** Pieces in the making, from begins and ends in any order: strangers nest as they like. Every step takes constant time. */
export type PieceBuilder = { root: OpenContainer; open: OpenContainer[]; marks: marks.OpenMarks }

/** More containers in each other are set out flat, well before the depth that a document may have. */
const maxOpen = 12

/** Begins with the marks of the text around. */
export function builder(around: readonly Mark[] = []): PieceBuilder {
  const open = marks.openMarks(around)
  const root = opened({ type: 'root' }, open)
  return { root, open: [root], marks: open }
}

export function marksHere(builder: PieceBuilder): readonly Mark[] {
  return marks.marksHere(builder.marks)
}

/** A link without an address ends as others do. */
export function beginMark(builder: PieceBuilder, mark: Mark | null): void {
  marks.beginMark(builder.marks, mark)
}

export function endMark(builder: PieceBuilder, type: Mark['type']): void {
  marks.endMark(builder.marks, type)
}

export function add(builder: PieceBuilder, piece: Piece): void {
  if (isBlank(piece) && isLineStart(top(builder), piece)) return
  const place = placeForText(builder)
  const isOneLine = place.container.type === 'cell' || place.container.type === 'heading'
  if (isInline(piece)) place.pieces.push(withMarks(piece, marksHere(builder)))
  else if (!isOneLine) place.pieces.push(piece)
  else if (piece.type === 'codeBlock') for (const text of piece.content ?? []) place.pieces.push({ ...text, marks: [{ type: 'code' }] })
  else place.behind.push(piece)
}

/** Ends the line, as blocks do that have no form of their own. */
export function breakLine(builder: PieceBuilder): void {
  const { container, pieces } = top(builder)
  const last = pieces.at(-1)
  if (!last || !isInline(last)) return
  if (last.type !== 'hardBreak') pieces.push({ type: 'hardBreak' })
  if (container.type !== 'cell' && container.type !== 'heading') pieces.push({ type: 'hardBreak' })
}

export function begin(builder: PieceBuilder, container: Container): void {
  const { type } = container
  if (type === 'item' || type === 'row' || type === 'cell') return beginWithin(builder, container)
  if (type === 'heading' && top(builder).container.type === 'heading') close(builder)
  breakLine(builder)
  const place = placeForText(builder)
  const isFlat = builder.open.length > maxOpen || builder.open.some(({ container: { type } }) => type === 'cell' || type === 'heading')
  if (isFlat) place.flat.set(type, (place.flat.get(type) ?? 0) + 1)
  else push(builder, container)
}

/** Ends the innermost one, with all that is open in it. Without one it ends the line. */
export function end(builder: PieceBuilder, type: Container['type']): void {
  const { flat } = top(builder)
  const holder = holderOf(type)
  const count = flat.get(holder) ?? 0
  if (count > 0 && holder === type) flat.set(type, count - 1)
  const at = innermost(builder, type)
  const isHeld = at > 0 && at >= innermost(builder, holder) && (holder === 'table' || innermost(builder, 'cell') < at)
  if (count > 0 || !isHeld) breakLine(builder)
  else closeTo(builder, at)
}

/** Takes the pieces so far. What is open goes on in the next ones. */
export function take(builder: PieceBuilder): Piece[] {
  const before = builder.open
  while (builder.open.length > 1) close(builder, true)
  const { pieces } = builder.root
  builder.root.pieces = []
  builder.open = before.map((one, at) => (at === 0 ? one : goingOn(one, before[at + 1] !== undefined)))
  return pieces
}

function opened(container: Container, open: marks.OpenMarks): OpenContainer {
  const marksBefore = marks.markDepths(open)
  return { container, pieces: [], items: [], rows: [], cells: [], behind: [], marksBefore, flat: new Map(), goesOn: false }
}

function top(builder: PieceBuilder): OpenContainer {
  return builder.open.at(-1) ?? builder.root
}

function isBlank(piece: Piece): boolean {
  return piece.type === 'hardBreak' || (piece.type === 'text' && piece.text.trim() === '')
}

/** Blanks are invisible there, and so are breaks between blocks, lists and rows. */
function isLineStart({ container: { type }, pieces }: OpenContainer, piece: Piece): boolean {
  const last = pieces.at(-1)
  if (type === 'list' || type === 'table' || type === 'row' || !last || !isInline(last)) return true
  return last.type === 'hardBreak' && piece.type !== 'hardBreak'
}

/** Lists take items alone, tables rows, and rows cells. */
function placeForText(builder: PieceBuilder): OpenContainer {
  if (top(builder).container.type === 'table') push(builder, { type: 'row' })
  if (top(builder).container.type === 'row') push(builder, { type: 'cell', align: null })
  if (top(builder).container.type === 'list') push(builder, { type: 'item' })
  return top(builder)
}

function withMarks(inline: Inline, around: readonly Mark[]): Inline {
  if (inline.type !== 'text' || around.length === 0) return inline
  const own = inline.marks ?? []
  return { ...inline, marks: [...around.filter(({ type }) => own.every((mark) => mark.type !== type)), ...own] }
}

function push(builder: PieceBuilder, container: Container): void {
  builder.open.push(opened(container, builder.marks))
}

function close(builder: PieceBuilder, keepsMarks = false): void {
  const closed = top(builder)
  builder.open = builder.open.slice(0, -1)
  if (!keepsMarks) marks.endMarksTo(builder.marks, closed.marksBefore)
  finished(closed, top(builder))
}

function closeTo(builder: PieceBuilder, depth: number): void {
  while (builder.open.length > depth) close(builder)
}

/** Its place among the open ones; -1 if there is none. */
function innermost(builder: PieceBuilder, type: Container['type']): number {
  return builder.open.findLastIndex(({ container }) => container.type === type)
}

function holderOf(type: Container['type']): Container['type'] {
  if (type === 'item') return 'list'
  return type === 'row' || type === 'cell' ? 'table' : type
}

/** An item ends the one before, and so do rows and cells. */
function beginWithin(builder: PieceBuilder, container: Container): void {
  const { type } = container
  const holder = holderOf(type)
  const at = innermost(builder, holder)
  const isFlat = (top(builder).flat.get(holder) ?? 0) > 0
  if (at < 0 || isFlat || (holder === 'list' && innermost(builder, 'cell') > at)) return breakLine(builder)
  const row = type === 'cell' ? innermost(builder, 'row') : -1
  closeTo(builder, Math.max(row, at) + 1)
  if (type === 'cell' && row < at) push(builder, { type: 'row' })
  push(builder, container)
}

/** A list that is split within an item goes on with its number. */
function goingOn(one: OpenContainer, isMiddle: boolean): OpenContainer {
  const { container, items, marksBefore, flat } = one
  const fresh = { ...one, pieces: [], items: [], rows: [], cells: [], behind: [], marksBefore, flat, goesOn: true }
  if (container.type !== 'list' || container.start === null) return fresh
  const start = container.start + items.length - (isMiddle && items.length > 0 ? 1 : 0)
  return { ...fresh, container: { ...container, start } }
}
