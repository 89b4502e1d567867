import { hasVisibleText } from '#base/plain-text.ts'
import type { Conversion, Converter } from '#importer/server/body/conversion.ts'
import { type Element, textOf } from '#importer/server/body/element.ts'
import { emojiOf } from '#importer/server/body/emoji.ts'
import { linked, uploadAt } from '#importer/server/body/links.ts'
import { marked, type Piece, textPieces } from '#importer/server/body/pieces.ts'

/** Elements within lines, by their names in the XML of phpBB and Flarum. */
export const inlineConverters: readonly (readonly [names: string, Converter])[] = [
  ['r t ESC', (element, { inner }) => inner(element)],
  ['br', () => [{ type: 'hardBreak' }]],
  ['B STRONG', (element, { inner }) => marked(inner(element), { type: 'bold' })],
  ['I EM', (element, { inner }) => marked(inner(element), { type: 'italic' })],
  ['S STRIKE DEL', (element, { inner }) => marked(inner(element), { type: 'strike' })],
  ['C', inlineCode],
  ['U INS', (element, conversion) => plain(element, conversion, 'underline')],
  ['COLOR SIZE FONT SUB SUP HIGHLIGHT BACKGROUND', (element, conversion) => plain(element, conversion, element.name.toLowerCase())],
  ['ISPOILER', (element, conversion) => plain(element, conversion, 'spoiler')],
  ['E', (element) => textPieces(emojiOf(textOf(element)) ?? textOf(element))],
  ['EMOJI', (element) => textPieces(emojiFrom(element))],
  ['URL', link],
  ['EMAIL', (element, { inner }) => linked(inner(element), `mailto:${element.attributes['email'] ?? textOf(element)}`)],
  ['LINK_TEXT', (element) => textPieces(element.attributes['text'] || textOf(element))],
  ['IMG', picture],
  ['FLASH', flash],
  ['USERMENTION', memberMention],
  ['POSTMENTION', postMention],
  ['TAGMENTION', tagMention],
  ['GROUPMENTION', ({ attributes, ...element }) => textPieces(atName(attributes['groupname']) ?? textOf({ attributes, ...element }))],
]

/** The text of an element without a place in a document. An address alone, as of a video, becomes a link. */
export function unknownElement(element: Element, { inner, notes }: Conversion): Piece[] {
  notes.add(`unknown: ${element.name.slice(0, maxNoteLength)}`)
  const pieces = inner(element)
  const [only] = pieces
  return pieces.length === 1 && only?.type === 'text' && /^https?:\/\/\S+$/.test(only.text) ? linked(pieces, only.text) : pieces
}

const maxNoteLength = 40

function plain(element: Element, { inner, notes }: Conversion, note: string): Piece[] {
  notes.add(note)
  return inner(element)
}

function inlineCode(element: Element): Piece[] {
  return marked(textPieces(textOf(element)), { type: 'code' })
}

// The text is the character, or an alias of it such as `:)`; `tseq` has the joiners that `seq` lacks.
function emojiFrom(element: Element): string {
  const { tseq, seq = '' } = element.attributes
  const text = textOf(element)
  const codes = (tseq ?? seq).split('-').map((code) => (/^[\da-f]{2,6}$/i.test(code) ? Number.parseInt(code, 16) : Number.NaN))
  const isAlias = /^[\x20-\x7e]*$/.test(text)
  return isAlias && codes.length <= maxCodes && codes.every((code) => code > 0x7f && code <= 0x10_ffff)
    ? String.fromCodePoint(...codes)
    : text
}

const maxCodes = 20

/** A link to an upload of the forum is that file, as is a picture within the link. */
function link(element: Element, { inner, options }: Conversion): Piece[] {
  const address = element.attributes['url'] ?? textOf(element)
  const [pieces, upload] = [inner(element), uploadAt(options, address)]
  if (!upload) return linked(pieces, address)
  if (pieces.some(({ type }) => type === 'file')) return pieces
  return textOf(element).trim() === address.trim() ? [upload] : [...pieces, upload]
}

function picture(element: Element, { notes, options }: Conversion): Piece[] {
  const address = (element.attributes['src'] ?? textOf(element)).trim()
  const upload = uploadAt(options, address)
  if (upload) return [upload]
  notes.add('picture elsewhere')
  const alt = element.attributes['alt'] ?? ''
  return linked(textPieces(hasVisibleText(alt) ? alt : address), address)
}

function flash(element: Element, { notes, inner }: Conversion): Piece[] {
  notes.add('flash')
  return linked(inner(element), element.attributes['url'] ?? textOf(element))
}

function memberMention(element: Element): Piece[] {
  const { id, displayname, username } = element.attributes
  const label = displayname ?? username ?? textOf(element).replace(/^@/, '')
  if (!hasVisibleText(label)) return textPieces(textOf(element))
  return [{ type: 'mention', attrs: { id: id === undefined ? `import:name/${label}` : `import:member/${id}`, label } }]
}

function postMention(element: Element): Piece[] {
  const { discussionid, number, displayname, username } = element.attributes
  const text = textPieces(atName(displayname ?? username) ?? textOf(element))
  return discussionid === undefined ? text : linked(text, `./d/${discussionid}${number === undefined ? '' : `/${number}`}`)
}

// The element holds the blank before the tag, which is not part of the link.
function tagMention(element: Element): Piece[] {
  const text = textOf(element)
  const tag = text.trimStart()
  const { slug } = element.attributes
  const blank = textPieces(text.slice(0, text.length - tag.length))
  return [...blank, ...(slug === undefined ? textPieces(tag) : linked(textPieces(tag), `./t/${slug}`))]
}

function atName(name: string | undefined): string | null {
  return name === undefined || name === '' ? null : `@${name}`
}
