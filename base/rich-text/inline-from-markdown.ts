import type Token from 'markdown-it/lib/token.mjs'
import { longestTitle, type Attachment, type Inline, type Mark, type Mention, type Picture, type Text } from '#base/rich-text/document.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

/** What a reader of Markdown may look up besides our own `file:` and `member:`. */
export type Finds = {
  /** The picture at an address, or null to make it a link. */
  picture?: (address: string) => Omit<Picture['attrs'], 'alt'> | null
  /** Whom `@account` means, or null when it is only text. */
  mention?: (account: string) => Mention['attrs'] | null
  /** Whether there may be hidden parts, as there may where members write. */
  hides?: boolean
}

/** The texts, mentions and pictures that a line's tokens mean. */
export function inlinesFrom(tokens: readonly Token[], finds: Finds): (Inline | Picture | Attachment)[] {
  const open: { mark: Mark | null; end: string }[] = []
  const pieces: (Inline | Picture | Attachment)[] = []
  let marks: Mark[] = []
  for (const token of tokens) {
    if (token.nesting > 0) {
      const meant = markOf(token)
      const mark = newAmong(marks, meant)
      const [begin, end] = meant ? ['', ''] : signsOf(token)
      open.push({ mark, end })
      pieces.push(...written(begin, marks))
      if (mark) marks = [...marks, mark]
    } else if (token.nesting < 0) {
      const closed = open.pop()
      if (closed?.mark) marks = marks.filter((mark) => mark !== closed.mark)
      pieces.push(...written(closed?.end ?? '', marks))
    } else for (const piece of piecesOf(token, marks, finds)) pieces.push(piece)
  }
  return pieces
}

// One mark of a kind says as much as many within one another.
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
  return href ? { type: 'link', attrs: { href, ...(title && { title: upTo(longestTitle, title) }) } } : null
}

// What leads nowhere from here, such as to a part of a page, stays as it was written.
function signsOf(token: Token): [begin: string, end: string] {
  if (token.markup === 'autolink') return ['<', '>']
  const title = token.attrGet('title')
  return ['[', `](${token.attrGet('href') ?? ''}${title ? ` "${title}"` : ''})`]
}

function piecesOf(token: Token, marks: Mark[], finds: Finds): (Inline | Picture | Attachment)[] {
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
      return [{ type: 'mention', attrs: { id: token.meta.id, label: upTo(50, token.meta.label) } }]
    case 'image':
      return pictureOf(token, marks, finds)
    default:
      return written(token.content, marks)
  }
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
const longestSide = 20_000

function pictureOf(token: Token, marks: Mark[], finds: Finds): (Inline | Picture | Attachment)[] {
  const address = token.attrGet('src') ?? ''
  const alt = altOf(token.children ?? [])
  const [, toSave, bytes] = saved.exec(address) ?? []
  if (toSave) return [{ type: 'file', attrs: { file: toSave, name: upTo(200, alt) || 'file', bytes: Number(bytes) } }]
  const [, file = '', width, height] = ours.exec(address) ?? []
  const isOurs = file !== '' && Number(width) <= longestSide && Number(height) <= longestSide
  const found = isOurs ? { file, width: Number(width), height: Number(height) } : finds.picture?.(address)
  if (found) return [{ type: 'image', attrs: { ...found, alt: upTo(300, alt) } }]
  const link = linkTo(address)
  return written(alt || address, link ? [link, ...marks] : marks)
}

function altOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children, meta }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      return type === 'mention' ? `@${meta.label}` : children ? altOf(children) : content
    })
    .join('')
}

// A character that takes two places is not cut in half.
function upTo(length: number, text: string): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
