import type { Attachment, Block, Doc, Hidden, Inline, Mark, Paragraph, Picture } from '#base/rich-text/document.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { tableHeight, withoutTable } from '#importer/server/body/table.ts'

/** Text and blocks as they follow each other in another program's body, where anything stands in anything. */
export type Piece = Inline | Block

/** Text with its line feeds as breaks. Nothing of it is trimmed. */
export function textPieces(text: string): Inline[] {
  const lines = validText(text).split(/\r\n|\r|\n/)
  return lines.flatMap((line, index): Inline[] => [
    ...(index > 0 ? [{ type: 'hardBreak' } as const] : []),
    ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
  ])
}

/** The pieces with a mark on every text, also within blocks, but not on code. A link within a link stays the inner one. */
export function marked(pieces: readonly Piece[], mark: Mark): Piece[] {
  return pieces.map((piece) => {
    if (piece.type !== 'text') return markedWithin(piece, mark)
    const marks = piece.marks ?? []
    return marks.some(({ type }) => type === mark.type) ? piece : { ...piece, marks: [...marks, mark] }
  })
}

function markedWithin<T extends Piece>(piece: T, mark: Mark): T {
  if (piece.type === 'codeBlock' || !('content' in piece) || !Array.isArray(piece.content)) return piece
  const content = piece.content as Piece[]
  return { ...piece, content: marked(content, mark) }
}

/** Blocks of the pieces: text between blocks becomes paragraphs, and an empty line ends one, as does a line of blanks. */
export function blocksOf(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = []
  let line: Inline[] = []
  const end = () => {
    const content = withoutEdges(line)
    if (content.length > 0) blocks.push({ type: 'paragraph', content })
    line = []
  }
  for (const piece of pieces) {
    if (!isInline(piece)) {
      end()
      blocks.push(piece)
    } else if (piece.type === 'hardBreak' && endsInBreak(line)) end()
    else line.push(piece)
  }
  end()
  return blocks
}

// Blanks after a break are dropped on the way, so each is looked at once.
function endsInBreak(line: Inline[]): boolean {
  while (line.length > 0 && isBlank(line.at(-1))) line.pop()
  return line.at(-1)?.type === 'hardBreak'
}

function isBlank(inline: Inline | undefined): boolean {
  return inline?.type === 'text' && !inline.marks?.some(({ type }) => type === 'code') && /^[ \t\r\n]*$/.test(inline.text)
}

/** The blocks, or an empty paragraph, for a place that needs one. */
export function orParagraph(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [{ type: 'paragraph' }]
}

/** One paragraph of the pieces: what stands in blocks is set in its lines. For the cells of tables. */
export function paragraphOf(pieces: readonly Piece[]): Paragraph {
  return { type: 'paragraph', content: withoutEdges(inlinesOf(pieces)) }
}

/** The text of the pieces without its blocks, a line for each. Pictures and files have no text: see `standalonesOf`. */
export function inlinesOf(pieces: readonly Piece[]): Inline[] {
  const inlines: Inline[] = []
  collectInlines(pieces, inlines)
  return inlines
}

function collectInlines(pieces: readonly Piece[], inlines: Inline[]): void {
  for (const piece of pieces) {
    // What is hidden never becomes text: see `standalonesOf`.
    if (piece.type === 'hidden') continue
    if (isInline(piece)) inlines.push(piece)
    else {
      if (inlines.length > 0) inlines.push({ type: 'hardBreak' })
      if (piece.type === 'codeBlock') collectInlines(textPieces(piece.content?.[0].text ?? ''), inlines)
      else if ('content' in piece && piece.content) collectInlines(piece.content as Piece[], inlines)
      inlines.push({ type: 'hardBreak' })
    }
  }
}

/** The pictures, files and hidden parts within the pieces, which a place for text alone would lose. */
export function standalonesOf(pieces: readonly Piece[]): (Picture | Attachment | Hidden)[] {
  return pieces.flatMap((piece) => {
    if (piece.type === 'image' || piece.type === 'file' || piece.type === 'hidden') return [piece]
    return 'content' in piece && piece.content ? standalonesOf(piece.content as Piece[]) : []
  })
}

function withoutEdges(inlines: readonly Inline[]): Inline[] {
  const isEdge = (inline: Inline | undefined) => inline?.type === 'hardBreak' || isBlank(inline)
  let [from, to] = [0, inlines.length]
  while (from < to && isEdge(inlines[from])) from++
  while (to > from && isEdge(inlines[to - 1])) to--
  return inlines.slice(from, to)
}

export function isInline(piece: Piece): piece is Inline {
  return piece.type === 'text' || piece.type === 'mention' || piece.type === 'hardBreak'
}

/** Text that the database can hold: without NUL and unpaired halves of characters. */
export function validText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The nesting that a document may have, as its validation counts it. */
const maxDepth = 20

/**
 * A document in its normal form, within the nesting that ours may have: what lies deeper is set out flat, and a hidden part within another block
 * stands behind that.
 */
export function documentOf(pieces: readonly Piece[]): Doc {
  const blocks = blocksOf(pieces).flatMap((block): Block[] => {
    const { rest, hidden } = block.type === 'hidden' ? { rest: [withoutParts(block)], hidden: [] } : apart(block)
    return [...rest, ...hidden]
  })
  return normalise({ type: 'doc', content: orParagraph(blocks.flatMap((block) => within(block, 1))) })
}

/** A block without the hidden parts in it, and those. */
function apart(block: Block): { rest: Block[]; hidden: Hidden[] } {
  if (block.type === 'hidden') return { rest: [], hidden: [withoutParts(block)] }
  if (!holdsPart(block)) return { rest: [block], hidden: [] }
  const hidden: Hidden[] = []
  const kept = (block.content as Block[]).flatMap((child) => {
    const its = apart(child)
    hidden.push(...its.hidden)
    return its.rest
  })
  return { rest: kept.length > 0 ? [{ ...block, content: kept } as Block] : [], hidden }
}

/** A part within a part opens with the outer one. */
function withoutParts(part: Hidden): Hidden {
  return part.content ? { ...part, content: openedUp(part.content) } : part
}

function openedUp(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.type === 'hidden') return openedUp(block.content ?? [])
    return holdsPart(block) ? [{ ...block, content: openedUp(block.content) } as Block] : [block]
  })
}

function holdsPart(block: Block): block is Block & { content: Block[] } {
  if (!('content' in block) || !Array.isArray(block.content)) return false
  return (block.content as Block[]).some((child) => child.type === 'hidden' || holdsPart(child))
}

const levels: Partial<Record<Block['type'], number>> = { bulletList: 2, orderedList: 2, taskList: 2, blockquote: 1, hidden: 1 }

function within(block: Block, depth: number): Block[] {
  if (block.type === 'table') return depth + tableHeight > maxDepth ? withoutTable(block) : [block]
  const inner = levels[block.type]
  if (inner === undefined || !('content' in block) || !block.content) return [block]
  // A paragraph and its text stand below.
  const isFlat = depth + inner + 2 > maxDepth
  if (block.type === 'bulletList' || block.type === 'orderedList' || block.type === 'taskList') {
    if (isFlat) return block.content.flatMap((item) => item.content.flatMap((child) => within(child, depth)))
    const content = block.content.map((item) => ({ ...item, content: item.content.flatMap((child) => within(child, depth + inner)) }))
    return [{ ...block, content } as Block]
  }
  const content = (block.content as Block[]).flatMap((child) => within(child, isFlat ? depth : depth + inner))
  return isFlat ? content : [{ ...block, content } as Block]
}
