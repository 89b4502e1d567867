import type { Inline, Text } from '#base/rich-text/document.ts'
import type { Piece } from '#importer/server/body/pieces.ts'

// A letter or digit before it makes an e-mail address, and a further @ behind it an account on another server.
const mention = /(?<![\p{L}\p{N}])@([\p{L}\p{N}._-]{1,100})(?![\p{L}\p{N}._@-])/gu
const name = /^[\p{L}\p{N}._ -]{1,100}$/u
const maxLabel = 50

/** The names that a text may mention, each also without the full stops and dashes that end it. */
export function namesIn(text: string): string[] {
  if (!text.includes('@')) return []
  return [...new Set([...text.matchAll(mention)].flatMap(([, written = '']) => formsOf(written)))]
}

/** A full stop may end the sentence, or the name; the name is tried first. */
function formsOf(written: string): string[] {
  return [...new Set([written, written.replace(/[.-]{1,100}$/, '')])].filter(Boolean)
}

/** The pieces with mentions in place of `@name`, but not within links and code. */
export function withMentions(pieces: readonly Piece[], mentioned: (name: string) => string | null): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const before = result.at(-1)
    const emphasised = piece.type === 'text' && before?.type === 'text' ? inEmphasis(before, piece, mentioned) : null
    if (emphasised) result.splice(-1, 1, ...emphasised)
    else if (piece.type === 'text' && !isFixed(piece)) result.push(...split(piece, mentioned))
    else result.push(piece)
  }
  return result
}

function isFixed({ marks }: Text): boolean {
  return marks?.some(({ type }) => type === 'code' || type === 'link') ?? false
}

/** Markdown takes the underscores of `@_ann_` and `@__ann__` for emphasis. */
function inEmphasis(before: Text, { text, marks = [] }: Text, mentioned: (name: string) => string | null): Inline[] | null {
  const [mark, ...others] = marks
  const signs = mark?.type === 'italic' ? '_' : mark?.type === 'bold' ? '__' : null
  if (!signs || others.length > 0 || !before.text.endsWith('@') || !name.test(text)) return null
  const written = `${signs}${text}${signs}`
  const id = mentioned(written)
  return id === null ? null : [...textOf(before, before.text.slice(0, -1)), mentionOf(id, written)]
}

function split(piece: Text, mentioned: (name: string) => string | null): Inline[] {
  const result: Inline[] = []
  let from = 0
  for (const { 1: written = '', index } of piece.text.matchAll(mention)) {
    const form = formsOf(written).find((one) => mentioned(one) !== null)
    const id = form === undefined ? null : mentioned(form)
    if (form === undefined || id === null) continue
    result.push(...textOf(piece, piece.text.slice(from, index)), mentionOf(id, form))
    from = index + 1 + form.length
  }
  return [...result, ...textOf(piece, piece.text.slice(from))]
}

function textOf(piece: Text, text: string): Text[] {
  return text === '' ? [] : [{ ...piece, text }]
}

function mentionOf(id: string, label: string): Inline {
  return { type: 'mention', attrs: { id: `import:${id}`, label: label.slice(0, maxLabel).toWellFormed() } }
}
