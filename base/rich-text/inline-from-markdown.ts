import type Token from 'markdown-it/lib/token.mjs'
import { firstCharacters, hasAtMost } from '#base/characters.ts'
import { hasVisibleText } from '#base/plain-text.ts'
import {
  maxTitleLength,
  type Attachment,
  type Inline,
  type Link,
  type Mark,
  type Mention,
  type Picture,
  type Text,
} from '#base/rich-text/document.ts'
import { byLink, linkOf } from '#base/rich-text/normalise.ts'
import { linkTarget } from '#base/rich-text/safe-url.ts'

export type Piece = Inline | Picture | Attachment

/** Lookups of the Markdown reader besides our own `file:` and `member:`. */
export type MarkdownLookups = {
  /** The picture at an address, or null to make it a link. */
  picture?: (address: string) => Omit<Picture['attrs'], 'alt'> | null
  /** The member of an `@account`, or null if it is plain text. */
  mention?: (account: string) => Mention['attrs'] | null
  /** Allows hidden parts, as in members' texts. */
  hides?: boolean
}

/** The texts, mentions and pictures of a line's tokens. */
export function inlinesFrom(tokens: readonly Token[], lookups: MarkdownLookups): Piece[] {
  const open: { mark: Mark | null; from: number; end: string }[] = []
  const pieces: Piece[] = []
  let marks: Mark[] = []
  for (const token of tokens) {
    if (token.nesting > 0) {
      const tokenMark = markOf(token)
      const mark = newAmong(marks, tokenMark)
      const [begin, end] = tokenMark ? ['', ''] : signsOf(token)
      pieces.push(...textPieces(begin, marks))
      open.push({ mark, from: pieces.length, end })
      if (mark) marks = [...marks, mark]
    } else if (token.nesting < 0) {
      const { mark = null, from = 0, end = '' } = open.pop() ?? {}
      if (mark?.type === 'link' && !pieces.slice(from).some((piece) => linkOf(piece) === mark))
        pieces.push({ type: 'text', text: '', marks })
      if (mark) marks = marks.filter((one) => one !== mark)
      pieces.push(...textPieces(end, marks))
    } else for (const piece of piecesOf(token, marks, lookups)) pieces.push(piece)
  }
  return withAddresses(pieces)
}

// An empty link, or one around only a picture, shows its address, which would be lost otherwise.
function withAddresses(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const run of byLink(pieces))
    result.push(...(run.link && !run.isSeen ? addressOf(run.link, run.inlines[0], result.at(-1)) : run.inlines))
  return result
}

function addressOf(link: Link, first: Piece | undefined, before: Piece | undefined): Piece[] {
  const isBeside = before?.type === 'mention' || (before?.type === 'text' && /[\p{L}\p{N}]$/u.test(before.text))
  return [...textPieces(isBeside ? ' ' : '', []), ...textPieces(link.attrs.href, first?.type === 'text' ? (first.marks ?? []) : [])]
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
  const href = linkTarget(address)
  return href && hasAtMost(title, maxTitleLength) ? { type: 'link', attrs: { href, ...(title && { title }) } } : null
}

// A link without a valid target, such as a fragment, stays as written.
function signsOf(token: Token): [begin: string, end: string] {
  if (token.markup === 'autolink') return ['<', '>']
  return ['[', targetOf(token, 'href')]
}

function targetOf(token: Token, name: 'href' | 'src'): string {
  const title = token.attrGet('title')
  return `](${token.attrGet(name) ?? ''}${title ? ` "${title}"` : ''})`
}

function piecesOf(token: Token, marks: Mark[], lookups: MarkdownLookups): Piece[] {
  switch (token.type) {
    case 'text':
      return marks.some(isLink) ? textPieces(token.content, marks) : mentionsIn(token.content, marks, lookups)
    case 'address': {
      const link = marks.some(isLink) ? null : linkTo(token.meta.href ?? '')
      return textPieces(token.content, link ? [link, ...marks] : marks)
    }
    case 'softbreak':
    case 'hardbreak':
      return [{ type: 'hardBreak' }]
    case 'code_inline':
      return textPieces(token.content, [...marks, { type: 'code' }])
    case 'mention':
      return mentionOf(token.meta, marks)
    case 'image':
      return pictureOf(token, marks, lookups)
    default:
      return textPieces(token.content, marks)
  }
}

function mentionOf({ id, label }: Mention['attrs'], marks: Mark[]): Piece[] {
  return !hasAtMost(label, maxLabelLength) ? textPieces(`@[${label}](member:${id})`, marks) : [{ type: 'mention', attrs: { id, label } }]
}

function textPieces(text: string, marks: Mark[]): Text[] {
  return text ? [{ type: 'text', text, marks }] : []
}

const bareMention = /(?<![\w/])@(\w+)/

function mentionsIn(text: string, marks: Mark[], { mention }: MarkdownLookups): Inline[] {
  if (!mention || !text.includes('@')) return textPieces(text, marks)
  return text.split(bareMention).flatMap((piece, place): Inline[] => {
    const attrs = place % 2 === 1 ? mention(piece) : null
    if (attrs) return [{ type: 'mention', attrs }]
    return textPieces(place % 2 === 1 ? `@${piece}` : piece, marks)
  })
}

const ownPicture = /^file:([\w-]{1,64})#([1-9]\d{0,4})x([1-9]\d{0,4})$/
const ownFile = /^file:([\w-]{1,64})#([1-9]\d{0,8})$/
const maxSide = 65_535
const maxAltLength = 300
const maxNameLength = 200
const maxLabelLength = 50

function pictureOf(token: Token, marks: Mark[], lookups: MarkdownLookups): Piece[] {
  const [address, title] = [token.attrGet('src') ?? '', token.attrGet('title') ?? '']
  const alt = altOf(token.children ?? [])
  const [, toSave, bytes] = ownFile.exec(address) ?? []
  if (toSave) {
    const name = firstCharacters(alt, maxNameLength)
    return [
      { type: 'file', attrs: { file: toSave, name: name || 'file', bytes: Number(bytes) } },
      ...textBeside(alt.slice(name.length), title, marks),
    ]
  }
  const [, file = '', width, height] = ownPicture.exec(address) ?? []
  const isOurs = file !== '' && Number(width) <= maxSide && Number(height) <= maxSide
  const found = isOurs ? { file, width: Number(width), height: Number(height) } : lookups.picture?.(address)
  if (!found) return linkInPlace(token, alt, marks)
  const shortAlt = firstCharacters(alt, maxAltLength)
  return [{ type: 'image', attrs: { ...found, alt: shortAlt } }, ...textBeside(alt.slice(shortAlt.length), title, marks)]
}

// A picture cannot hold them.
function textBeside(restOfAlt: string, title: string, marks: Mark[]): Text[] {
  const text = [restOfAlt, title].filter(Boolean).join(' ')
  return text ? textPieces(`${text} `, marks) : []
}

/** A picture from another host becomes a link to it; inside a link, one beside that link. */
function linkInPlace(token: Token, alt: string, marks: Mark[]): Text[] {
  const address = token.attrGet('src') ?? ''
  const link = linkTo(address, token.attrGet('title') ?? '')
  if (!link) return textPieces(`![${alt}${targetOf(token, 'src')}`, marks)
  const around = marks.filter((mark) => !isLink(mark))
  if (around.length === marks.length || !hasVisibleText(alt)) return textPieces(hasVisibleText(alt) ? alt : address, [link, ...around])
  return [...textPieces(`${alt} `, marks), ...textPieces(address, [link, ...around])]
}

function altOf(tokens: readonly Token[]): string {
  const ends: string[] = []
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.type === 'mention') return `@${token.meta.label}`
      if (token.type === 'image') return `![${altOf(token.children ?? [])}${targetOf(token, 'src')}`
      if (token.type === 'link_close') return ends.pop()
      if (token.type !== 'link_open') return token.content
      const [begin, end] = signsOf(token)
      ends.push(end)
      return begin
    })
    .join('')
}
