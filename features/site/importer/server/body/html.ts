import { normalizeLanguage } from '#base/rich-text/code-language.ts'
import type { Inline } from '#base/rich-text/document.ts'
import { containerTags, lineTags, markTags, mediaTags, notedTags, plainTags, unseenTags } from '#importer/server/body/html-tags.ts'
import { addressText, linkAddress } from '#importer/server/body/link-address.ts'
import type { Container } from '#importer/server/body/container.ts'
import * as build from '#importer/server/body/piece-builder.ts'
import { validText, type Piece } from '#importer/server/body/pieces.ts'
import { readHtml, type HtmlAttributes } from '#importer/server/body/read-html.ts'

export type HtmlOptions = {
  /** The pieces of a picture that was moved too, or of an emoji. Null for any other, which becomes a link. */
  picture?: (attributes: HtmlAttributes) => readonly Piece[] | null
  /** The pieces of a text outside code; as it stands unless given. */
  text?: (text: string) => readonly Inline[]
}

/** The pieces of HTML of any quality. Scripts, styles and frames give no text; unknown tags keep theirs. */
export function piecesFromHtml(html: string, options: HtmlOptions = {}): { pieces: Piece[]; notes: string[] } {
  const into = htmlInto(build.builder(), new Set(), options)
  const source = readHtml({
    open: (name, attributes) => openTag(into, name, attributes),
    close: (name) => closeTag(into, name),
    text: (text) => addText(into, text),
  })
  source.write(html)
  source.end()
  endCode(into)
  return { pieces: build.take(into.pieces), notes: [...into.notes] }
}

/** Where HTML goes, and of what in it the end is awaited. */
export type HtmlTarget = {
  pieces: build.PieceBuilder
  notes: Set<string>
  options: HtmlOptions
  unseen: { tag: string; depth: number } | null
  code: { text: string[]; language: string } | null
}

export function htmlInto(pieces: build.PieceBuilder, notes: Set<string>, options: HtmlOptions): HtmlTarget {
  return { pieces, notes, options, unseen: null, code: null }
}

export function openTag(into: HtmlTarget, name: string, attributes: HtmlAttributes): void {
  if (into.unseen) {
    if (into.unseen.tag === name) into.unseen.depth++
    return
  }
  noteTag(into, name)
  if (mediaTags.has(name)) addInlines(into, addressText(attributes.get('src') ?? ''))
  if (unseenTags.has(name)) into.unseen = { tag: name, depth: 1 }
  else if (into.code) openInCode(into.code, name, attributes)
  else if (name === 'pre') into.code = { text: [], language: languageIn(attributes) }
  else openBuilt(into, name, attributes)
}

export function closeTag(into: HtmlTarget, name: string): void {
  if (into.unseen) {
    if (into.unseen.tag === name && --into.unseen.depth === 0) into.unseen = null
  } else if (into.code) {
    if (name !== 'pre') return
    endCode(into)
    into.code = null
  } else closeBuilt(into.pieces, name)
}

export function addText(into: HtmlTarget, text: string): void {
  if (into.unseen) return
  if (into.code) return void into.code.text.push(text)
  const shown = validText(text).replaceAll(/[ \t\r\n\f]+/g, ' ')
  addInlines(into, into.options.text?.(shown) ?? [{ type: 'text', text: shown }])
}

/** Adds the code so far, where other pieces are to follow. */
export function endCode({ pieces, code }: HtmlTarget): void {
  const text = validText(code?.text.join('').replace(/^\r?\n/, '') ?? '')
  if (!code || text === '') return
  code.text = []
  build.add(pieces, { type: 'codeBlock', attrs: { language: code.language }, content: [{ type: 'text', text }] })
}

function noteTag({ notes }: HtmlTarget, name: string): void {
  const isKnown = [markTags, containerTags, lineTags, plainTags].some((tags) => tags.has(name)) || knownTags.has(name)
  if (unseenTags.has(name) || mediaTags.has(name) || notedTags.has(name)) notes.add(name)
  else if (!isKnown) notes.add(`unknown: ${validText(name).slice(0, 30)}`)
}

const knownTags = new Set(['a', 'br', 'hr', 'img', 'pre'])

function openInCode(code: { text: string[]; language: string }, name: string, attributes: HtmlAttributes): void {
  if (name === 'br') code.text.push('\n')
  if (name === 'code' && code.language === 'markup') code.language = languageIn(attributes)
}

/** Highlighters give the language as a class. */
function languageIn(attributes: HtmlAttributes): string {
  const [, language = ''] = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})/i.exec(attributes.get('class') ?? '') ?? []
  return normalizeLanguage(language)
}

function openBuilt(into: HtmlTarget, name: string, attributes: HtmlAttributes): void {
  const { pieces } = into
  const container = containerTags.get(name)
  const mark = markTags.get(name)
  if (container) build.begin(pieces, withAttributes(container, attributes))
  else if (mark) build.beginMark(pieces, { type: mark })
  else if (name === 'a') build.beginMark(pieces, linkMark(attributes.get('href') ?? ''))
  else if (name === 'br') build.add(pieces, { type: 'hardBreak' })
  else if (name === 'hr') build.add(pieces, { type: 'horizontalRule' })
  else if (name === 'img') addPicture(into, attributes)
  else if (lineTags.has(name)) build.breakLine(pieces)
}

function withAttributes(container: Container, attributes: HtmlAttributes): Container {
  if (container.type === 'list' && container.start !== null) return { type: 'list', start: startIn(attributes.get('start')) }
  if (container.type !== 'cell') return container
  const align = attributes.get('align')
  return { type: 'cell', align: align === 'left' || align === 'center' || align === 'right' ? align : null }
}

function startIn(written = ''): number {
  return /^\d{1,9}$/.test(written) ? Number(written) : 1
}

/** The mark of a link to an address as it was written. */
export function linkMark(written: string): { type: 'link'; attrs: { href: string } } | null {
  const href = linkAddress(written)
  return href === null ? null : { type: 'link', attrs: { href } }
}

function addPicture(into: HtmlTarget, attributes: HtmlAttributes): void {
  const moved = into.options.picture?.(attributes)
  if (moved) for (const piece of moved) build.add(into.pieces, piece)
  else {
    const address = attributes.get('src') ?? ''
    const isInText = /^\s*data:/i.test(address)
    into.notes.add(isInText ? 'picture in the text' : 'picture elsewhere')
    addInlines(into, addressText(isInText ? '' : address))
  }
}

function addInlines({ pieces }: HtmlTarget, inlines: readonly Inline[]): void {
  for (const inline of inlines) build.add(pieces, inline)
}

function closeBuilt(pieces: build.PieceBuilder, name: string): void {
  const container = containerTags.get(name)
  const mark = markTags.get(name)
  if (container) build.end(pieces, container.type)
  else if (mark) build.endMark(pieces, mark)
  else if (name === 'a') build.endMark(pieces, 'link')
  else if (name === 'br') build.add(pieces, { type: 'hardBreak' })
  else if (lineTags.has(name)) build.breakLine(pieces)
}
