import { randomUUID } from 'node:crypto'
import type { Block, Cell, Hidden, Inline } from '#base/rich-text/document.ts'
import { isBlank } from '#base/rich-text/to-text.ts'
import type { Conversion, Converter } from '#importer/server/body/conversion.ts'
import { type Element, shownChildren, textOf } from '#importer/server/body/element.ts'
import { linked, uploadAt } from '#importer/server/body/links.ts'
import { blocksOf, inlinesOf, orParagraph, paragraphOf, type Piece, standalonesOf, textPieces } from '#importer/server/body/pieces.ts'
import { tablesOf } from '#importer/server/body/table.ts'

/** Elements that stand on lines of their own, by their names in the XML of phpBB and Flarum. */
export const blockConverters: readonly (readonly [names: string, Converter])[] = [
  ['p LI THEAD TBODY TR TD TH', (element, { inner }) => blocksOf(inner(element))],
  ['CENTER ALIGN LEFT RIGHT JUSTIFY INDENT', (element, conversion) => plainBlock(element, conversion, 'align')],
  ['SPOILER', (element, conversion) => plainBlock(element, conversion, 'spoiler')],
  ['HR', () => [{ type: 'horizontalRule' }]],
  ['CODE', code],
  ['QUOTE', quote],
  ['LIST', list],
  ['TABLE', table],
  ['H1 H2 H3 H4 H5 H6', heading],
  ['ATTACHMENT', attachment],
  ['UPL-FILE UPL-IMAGE UPL-IMAGE-PREVIEW UPL-TEXT-PREVIEW', upload],
  ['HIDE LIKE LOGIN MEMBERS REPLY', (element, conversion) => hiddenPart(element, conversion, { lock: 'comment', value: '' })],
  ['OP', closedPart],
]

/** Whether an element that is not known seems to hide its text from some. */
export function seemsHidden(name: string): boolean {
  return /HIDE|HIDDEN|2SEE|TO-?SEE|SECRET|PRIVATE|^(?:PAY|BUY|VIP)/.test(name)
}

/** A part with a password that nobody knows, where no lock of ours shows it to those alone who saw it. */
export function closedPart(element: Element, conversion: Conversion): Piece[] {
  return hiddenPart(element, conversion, { lock: 'password', value: randomUUID() })
}

function plainBlock(element: Element, { inner, notes }: Conversion, note: string): Piece[] {
  notes.add(note)
  return blocksOf(inner(element))
}

function code(element: Element): Piece[] {
  const text = textOf(element)
  const language = element.attributes['lang'] || 'markup'
  return [{ type: 'codeBlock', attrs: { language }, ...(text !== '' && { content: [{ type: 'text', text }] }) }]
}

// The author stands in an attribute. An answer to a message has no `post_id`.
function quote(element: Element, { inner }: Conversion): Piece[] {
  const { author = '', post_id: postId } = element.attributes
  const href = `./viewtopic.php?p=${postId}#p${postId}`
  const name: Inline = { type: 'text', text: author, ...(postId !== undefined && { marks: [{ type: 'link', attrs: { href } }] }) }
  const line: Block[] = author === '' ? [] : [{ type: 'paragraph', content: [name, { type: 'text', text: ':' }] }]
  return [{ type: 'blockquote', content: orParagraph([...line, ...blocksOf(inner(element))]) }]
}

function list(element: Element, { inner }: Conversion): Piece[] {
  const [before, ...items] = partsOf(shownChildren(element), ['LI'])
  const content = items.map((item) => ({ type: 'listItem' as const, content: orParagraph(blocksOf(inner(item))) }))
  const start = /^\d{1,9}$/.test(element.attributes['start'] ?? '') ? Number(element.attributes['start']) : 1
  const isOrdered = /decimal|alpha|roman/.test(element.attributes['type'] ?? '')
  const whole: Block = isOrdered ? { type: 'orderedList', attrs: { start }, content } : { type: 'bulletList', content }
  return [...(before ? blocksOf(inner(before)) : []), ...(content.length > 0 ? [whole] : [])]
}

/** The parts of these names in an element; text between them belongs to the part before, and to a first one without a name. */
function partsOf(children: readonly (Element | string)[], names: readonly string[]): Element[] {
  let part: Element = { name: '', attributes: {}, children: [] }
  const parts = [part]
  for (const child of children) {
    if (typeof child === 'string' || !names.includes(child.name)) part.children.push(child)
    else {
      part = { ...child, children: [...child.children] }
      parts.push(part)
    }
  }
  return parts
}

function table(element: Element, { inner }: Conversion): Piece[] {
  const children = shownChildren(element).flatMap((child) => (isSection(child) ? shownChildren(child) : [child]))
  const [before, ...rows] = partsOf(children, ['TR']).map((row) => partsOf(shownChildren(row), row.name === '' ? [] : ['TD', 'TH']))
  const strays = [...(before ?? []), ...rows.flatMap(([stray]) => stray ?? [])].flatMap((stray) => blocksOf(inner(stray)))
  const cells = rows.map(([, ...parts]) => parts.map((part) => ({ part, pieces: inner(part) })))
  return [...strays, ...tablesOf(cells.map((row) => row.map(cellOf))), ...cells.flat().flatMap(({ pieces }) => standalonesOf(pieces))]
}

function cellOf({ part, pieces }: { part: Element; pieces: readonly Piece[] }): Cell {
  return { type: part.name === 'TH' ? 'tableHeader' : 'tableCell', attrs: { align: alignOf(part) }, content: [paragraphOf(pieces)] }
}

function isSection(child: Element | string): child is Element {
  return typeof child !== 'string' && (child.name === 'THEAD' || child.name === 'TBODY')
}

function alignOf({ attributes: { align } }: Element): Cell['attrs']['align'] {
  return align === 'left' || align === 'center' || align === 'right' ? align : null
}

function heading(element: Element, { inner }: Conversion): Piece[] {
  const written = Number(element.name.slice(1))
  const level = written <= 2 ? 2 : written === 3 ? 3 : 4
  const pieces = inner(element)
  return [{ type: 'heading', attrs: { level }, content: inlinesOf(pieces) }, ...standalonesOf(pieces)]
}

// The text within the tags is what was typed, and may name another file.
function attachment(element: Element, { options, notes, shownFileIds }: Conversion): Piece[] {
  const { index = '' } = element.attributes
  const file = /^\d{1,6}$/.test(index) ? options.attachments?.[Number(index)] : undefined
  if (!file) {
    notes.add('missing attachment')
    return textPieces(textOf(element))
  }
  shownFileIds.add(file.id)
  return [{ type: 'file', attrs: { file: `import:file/${file.id}`, name: file.name, bytes: 1 } }]
}

/** An upload of an extension for Flarum. One without an end holds what was typed as its text, which nobody was shown. */
function upload(element: Element, { options, notes }: Conversion): Piece[] {
  const { uuid, url } = element.attributes
  const file = uploadAt(options, uuid) ?? uploadAt(options, url)
  if (file) return [file]
  notes.add('missing attachment')
  const name = element.name === 'UPL-IMAGE-PREVIEW' ? '' : textOf(element)
  return url === undefined ? textPieces(name) : linked(textPieces(name), url)
}

// Extensions show a part to whoever comments, likes or logs in.
function hiddenPart(element: Element, conversion: Conversion, attrs: Hidden['attrs']): Piece[] {
  const content = blocksOf(conversion.inner(element))
  if (isBlank({ type: 'doc', content })) return content
  if (conversion.options.hides) return [{ type: 'hidden', attrs, content }]
  conversion.notes.add('hide')
  return content
}
