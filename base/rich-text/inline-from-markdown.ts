import type Token from 'markdown-it/lib/token.mjs'
import { beginningOf, isWithin } from '#base/characters.ts'
import { isSeen } from '#base/plain-text.ts'
import {
  longestTitle,
  type Attachment,
  type Inline,
  type Link,
  type Mark,
  type Mention,
  type Picture,
  type Text,
} from '#base/rich-text/document.ts'
import { byLink, linkOf } from '#base/rich-text/normalise.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

export type Piece = Inline | Picture | Attachment

/** Lookups of the Markdown reader besides our own `file:` and `member:`. */
export type Finds = {
  /** The picture at an address, or null to make it a link. */
  picture?: (address: string) => Omit<Picture['attrs'], 'alt'> | null
  /** The member of an `@account`, or null if it is plain text. */
  mention?: (account: string) => Mention['attrs'] | null
  /** Allows hidden parts, as in members' texts. */
  hides?: boolean
}

/** The texts, mentions and pictures of a line's tokens. */
export function inlinesFrom(tokens: readonly Token[], finds: Finds): Piece[] {
  const open: { mark: Mark | null; from: number; end: string }[] = []
  const pieces: Piece[] = []
  let marks: Mark[] = []
  for (const token of tokens) {
    if (token.nesting > 0) {
      const meant = markOf(token)
      const mark = newAmong(marks, meant)
      const [begin, end] = meant ? ['', ''] : signsOf(token)
      pieces.push(...written(begin, marks))
      open.push({ mark, from: pieces.length, end })
      if (mark) marks = [...marks, mark]
    } else if (token.nesting < 0) {
      const { mark = null, from = 0, end = '' } = open.pop() ?? {}
      if (mark?.type === 'link' && !pieces.slice(from).some((piece) => linkOf(piece) === mark))
        pieces.push({ type: 'text', text: '', marks })
      if (mark) marks = marks.filter((one) => one !== mark)
      pieces.push(...written(end, marks))
    } else for (const piece of piecesOf(token, marks, finds)) pieces.push(piece)
  }
  return withAddresses(pieces)
}

// An empty link, or one around only a picture, shows its address, which would be lost otherwise.
function withAddresses(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = []
  for (const run of byLink(pieces)) kept.push(...(run.link && !run.isSeen ? addressOf(run.link, run.inlines[0], kept.at(-1)) : run.inlines))
  return kept
}

function addressOf(link: Link, first: Piece | undefined, before: Piece | undefined): Piece[] {
  const isBeside = before?.type === 'mention' || (before?.type === 'text' && /[\p{L}\p{N}]$/u.test(before.text))
  return [...written(isBeside ? ' ' : '', []), ...written(link.attrs.href, first?.type === 'text' ? (first.marks ?? []) : [])]
}

// Nested marks of one kind count once.
function newAmong(marks: readonly Mark[], mark: Mark | null): Mark | null {
  return marks.some(({ type }) => type === mark?.type) ? null : mark
}

function markOf(token: Token): Mark | null {
  switch (token.type) {
    case 'strong_open':
    case 'bold_open':
      return { type: 'bold' }
    case 'em_open':
    case 'italic_open':
      return { type: 'italic' }
    case 's_open':
    case 'strike_open':
      return { type: 'strike' }
    default:
      return linkTo(token.attrGet('href') ?? '', token.attrGet('title') ?? '')
  }
}

function isLink(mark: Mark): boolean {
  return mark.type === 'link'
}

function linkTo(address: string, title = ''): Mark | null {
  const href = safeUrl(address)
  return href && isWithin(title, longestTitle) ? { type: 'link', attrs: { href, ...(title && { title }) } } : null
}

// A link without a valid target, such as a fragment, stays as written.
function signsOf(token: Token): [begin: string, end: string] {
  if (token.markup === 'autolink') return ['<', '>']
  return ['[', aimOf(token, 'href')]
}

function aimOf(token: Token, name: 'href' | 'src'): string {
  const title = token.attrGet('title')
  return `](${token.attrGet(name) ?? ''}${title ? ` "${title}"` : ''})`
}

function piecesOf(token: Token, marks: Mark[], finds: Finds): Piece[] {
  switch (token.type) {
    case 'text':
      return marks.some(isLink) ? written(token.content, marks) : mentionsIn(token.content, marks, finds)
    case 'address': {
      const link = marks.some(isLink) ? null : linkTo(token.meta.href ?? '')
      return written(token.content, link ? [link, ...marks] : marks)
    }
    case 'softbreak':
    case 'hardbreak':
      return [{ type: 'hardBreak' }]
    case 'code_inline':
      return written(token.content, [...marks, { type: 'code' }])
    case 'mention':
      return mentionOf(token.meta, marks)
    case 'image':
      return pictureOf(token, marks, finds)
    default:
      return written(token.content, marks)
  }
}

function mentionOf({ id, label }: Mention['attrs'], marks: Mark[]): Piece[] {
  return !isWithin(label, longestLabel) ? written(`@[${label}](member:${id})`, marks) : [{ type: 'mention', attrs: { id, label } }]
}

function written(text: string, marks: Mark[]): Text[] {
  return text ? [{ type: 'text', text, marks }] : []
}

const bareMention = /(?<![\w/])@(\w+)/

function mentionsIn(text: string, marks: Mark[], { mention }: Finds): Inline[] {
  if (!mention || !text.includes('@')) return written(text, marks)
  return text.split(bareMention).flatMap((piece, place): Inline[] => {
    const attrs = place % 2 === 1 ? mention(piece) : null
    if (attrs) return [{ type: 'mention', attrs }]
    return written(place % 2 === 1 ? `@${piece}` : piece, marks)
  })
}

const ours = /^file:([\w-]{1,64})#([1-9]\d{0,4})x([1-9]\d{0,4})$/
const saved = /^file:([\w-]{1,64})#([1-9]\d{0,8})$/
const longestSide = 65_535
const longestAlt = 300
const longestName = 200
const longestLabel = 50

function pictureOf(token: Token, marks: Mark[], finds: Finds): Piece[] {
  const [address, title] = [token.attrGet('src') ?? '', token.attrGet('title') ?? '']
  const alt = altOf(token.children ?? [])
  const [, toSave, bytes] = saved.exec(address) ?? []
  if (toSave) {
    const name = beginningOf(alt, longestName)
    return [
      { type: 'file', attrs: { file: toSave, name: name || 'file', bytes: Number(bytes) } },
      ...beside(alt.slice(name.length), title, marks),
    ]
  }
  const [, file = '', width, height] = ours.exec(address) ?? []
  const isOurs = file !== '' && Number(width) <= longestSide && Number(height) <= longestSide
  const found = isOurs ? { file, width: Number(width), height: Number(height) } : finds.picture?.(address)
  if (!found) return linkInPlace(token, alt, marks)
  const shown = beginningOf(alt, longestAlt)
  return [{ type: 'image', attrs: { ...found, alt: shown } }, ...beside(alt.slice(shown.length), title, marks)]
}

// A picture cannot hold them.
function beside(restOfAlt: string, title: string, marks: Mark[]): Text[] {
  const text = [restOfAlt, title].filter(Boolean).join(' ')
  return text ? written(`${text} `, marks) : []
}

/** A picture from another host becomes a link to it; inside a link, one beside that link. */
function linkInPlace(token: Token, alt: string, marks: Mark[]): Text[] {
  const address = token.attrGet('src') ?? ''
  const link = linkTo(address, token.attrGet('title') ?? '')
  if (!link) return written(`![${alt}${aimOf(token, 'src')}`, marks)
  const around = marks.filter((mark) => !isLink(mark))
  if (around.length === marks.length || !isSeen(alt)) return written(isSeen(alt) ? alt : address, [link, ...around])
  return [...written(`${alt} `, marks), ...written(address, [link, ...around])]
}

function altOf(tokens: readonly Token[]): string {
  const ends: string[] = []
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.type === 'mention') return `@${token.meta.label}`
      if (token.type === 'image') return `![${altOf(token.children ?? [])}${aimOf(token, 'src')}`
      if (token.type === 'link_close') return ends.pop()
      if (token.type !== 'link_open') return token.content
      const [begin, end] = signsOf(token)
      ends.push(end)
      return begin
    })
    .join('')
}
