import { maxPrice } from '#base/rich-text/hidden-part.ts'
import { commentLock, levelLock, nobodyLock, passwordLock, priceLock, type PartLock } from '#importer/server/body/hidden-lock.ts'
import { joined, withHiddenParts, type Run } from '#importer/server/body/hidden-runs.ts'
import { addText, closeTag, endCode, htmlInto, linkMark, openTag, type HtmlTarget } from '#importer/server/body/html.ts'
import * as build from '#importer/server/body/piece-builder.ts'
import { documentOf, textPieces, validText, type Piece } from '#importer/server/body/pieces.ts'
import { readHtml, type HtmlAttributes } from '#importer/server/body/read-html.ts'
import type { SourceBody } from '#importer/server/source.ts'

/** A link whose text is awaited: to a file, or to a member. */
type OpenLink = { href: string; text: string[] }
type Reading = {
  to: HtmlTarget
  runs: Run[]
  /** The locks of the parts that are open here. */
  open: PartLock[]
  /** The program takes the value of the first part of each kind. */
  byKind: Map<string, PartLock>
  link: OpenLink | null
}

/**
 * The document of a body as diyhi/bbs stores it: HTML, also of what was written in Markdown. Hidden parts are elements `hide`; files have
 * addresses that begin with `file/`, emoticons other relative ones.
 */
export function diyhiBody(html: string): SourceBody {
  const notes = new Set<string>()
  const to = htmlInto(build.builder(), notes, { picture })
  const reading: Reading = { to, runs: [], open: [], byKind: new Map(), link: null }
  const source = readHtml({
    open: (name, attributes) => open(reading, name, attributes),
    close: (name) => close(reading, name),
    text: (text) => (reading.link ? void reading.link.text.push(text) : addText(to, text)),
  })
  source.write(html)
  source.end()
  endRun(reading)
  // Buying one part there opens all of its kind.
  const runs = joined(reading.runs, ({ lock }) => lock === 'points' || lock === 'balance')
  // The name of an unknown tag may be a word of hidden text.
  const short = new Set([...notes].map((note) => (note.startsWith('unknown: ') ? 'unknown tag' : note)))
  return { document: documentOf(withHiddenParts(runs, short)), notes: [...short] }
}

function open(reading: Reading, name: string, attributes: HtmlAttributes): void {
  const { to } = reading
  const [src, href] = [fileAt(attributes.get('src')), attributes.get('href') ?? '']
  if (name === 'hide') {
    endRun(reading)
    reading.open.push(lockOf(reading, attributes))
  } else if (to.unseen || to.code) openTag(to, name, attributes)
  else if (name === 'a' && (fileAt(href) || userAt(href))) {
    endLink(reading)
    reading.link = { href, text: [] }
  } else if (src !== null && name !== 'img') build.add(to.pieces, filePiece(src, ''))
  else openTag(to, name, attributes)
}

function close(reading: Reading, name: string): void {
  if (name === 'hide') {
    endRun(reading)
    reading.open.pop()
  } else if (name === 'a' && reading.link) endLink(reading)
  else closeTag(reading.to, name)
}

function endRun(reading: Reading): void {
  const { to, runs, open: locks } = reading
  endLink(reading)
  endCode(to)
  const [outer, ...inner] = locks
  // Whoever reads a part within a part has opened both, which no lock of ours asks for.
  const lock = inner.every((one) => one === outer) ? (outer ?? null) : nobodyLock
  runs.push({ lock, pieces: build.take(to.pieces) })
}

function endLink(reading: Reading): void {
  const { link, to } = reading
  if (!link) return
  reading.link = null
  const [text, file, userName] = [validText(link.text.join('')).trim(), fileAt(link.href), userAt(link.href)]
  const mark = linkMark(link.href)
  if (file !== null) build.add(to.pieces, filePiece(file, text))
  else if (userName !== null && text.startsWith('@') && text.length > 1)
    build.add(to.pieces, {
      type: 'mention',
      attrs: { id: `import:member/${userName}`, label: text.slice(1, maxLabel + 1).toWellFormed() },
    })
  else if (text !== '') build.add(to.pieces, { type: 'text', text, ...(mark && { marks: [mark] }) })
}

const maxLabel = 50

function lockOf({ byKind, to: { notes } }: Reading, attributes: HtmlAttributes): PartLock {
  const kind = (attributes.get('hide-type') ?? '').trim()
  const lock = byKind.get(kind) ?? newLock(kind, (attributes.get('input-value') ?? '').trim(), notes)
  byKind.set(kind, lock)
  return lock
}

/** 10 password, 20 comment, 30 the points of a grade, 40 points, 50 money. A part that the program could not open is nobody’s here. */
function newLock(kind: string, value: string, notes: Set<string>): PartLock {
  const isNumber = /^[1-9]\d{0,7}$/.test(value)
  const cents = kind === '50' ? centsIn(value) : 0
  if (kind === '10' && value !== '') return passwordLock(value, notes)
  if (kind === '20') return commentLock
  if (kind === '30' && isNumber) return levelLock(value)
  if (kind === '40' && isNumber) return priceLock(Number(value))
  if (cents > 0 && cents <= maxPrice.cents) return { lock: 'balance', value: String(cents) }
  notes.add('hidden part that nobody could open')
  return nobodyLock
}

function centsIn(value: string): number {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value) ?? []
  return whole === '' ? 0 : Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** A file of the forum, or an emoticon, whose name stands for it. */
function picture(attributes: HtmlAttributes): readonly Piece[] | null {
  const src = attributes.get('src')?.trim() ?? ''
  const file = fileAt(src)
  const alt = validText(attributes.get('alt') || attributes.get('title') || '').trim()
  if (file !== null) return [filePiece(file, alt)]
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(src)) return null
  return textPieces(alt)
}

function filePiece(path: string, name: string): Piece {
  return { type: 'file', attrs: { file: `import:file/${path}`, name: name || nameOf(path), bytes: 1 } }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The path of a file in the program's folder, or null for an address elsewhere. */
export function fileAt(address = ''): string | null {
  const [, path = null] = /^\/?(file\/(?:[\w-]{1,100}\/){1,8}[\w-]{1,100}(?:\.[\w-]{1,20}){0,3})(?:[?#]|$)/.exec(address.trim()) ?? []
  return path
}

function userAt(address: string): string | null {
  const [, name = null] = /^\/?user\/control\/home\?userName=([\w-]{1,30})$/.exec(address.trim()) ?? []
  return name
}
