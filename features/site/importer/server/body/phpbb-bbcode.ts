import { bodyOf } from '#importer/server/body/body-of-elements.ts'
import type { BodyOptions, BodyWithFiles } from '#importer/server/body/conversion.ts'
import { type Element, treeBuilder, type TreeBuilder } from '#importer/server/body/element.ts'
import { validText } from '#importer/server/body/pieces.ts'
import { decoded } from '#importer/server/body/references.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'

export type PhpbbOptions = BodyOptions & {
  /** Of the row; it tells tags from brackets that were typed. Empty when the text has no tags. */
  bbcodeUid: string
}

/** The document of a text of phpBB: XML since 3.2, or the form of 3.0 and 3.1 in rows that no upgrade has rewritten. */
export function documentFromPhpbb(text: string, { bbcodeUid, ...options }: PhpbbOptions): BodyWithFiles {
  if (/^<[rt][ />]/.test(text)) return documentFromS9e(text, options)
  const { root, isCut } = treeOfBbcode(text, bbcodeUid)
  return bodyOf(root, options, isCut ? ['cut off'] : [])
}

/**
 * The elements of the older form: tags are `[b:uid]`, text is escaped as HTML, and only phpBB's own smilies, comments and links of bare
 * addresses are HTML. The end of a tag ends those within it too.
 */
function treeOfBbcode(text: string, uid: string): { root: Element; isCut: boolean } {
  const builder = treeBuilder()
  let at = 0
  let isCut = false
  const valid = validText(text)
  for (const token of valid.matchAll(/\[([^[\]<>]*)\]|<([^<>]*)(?:>|$)/g)) {
    const [whole, bracketed, html] = token
    const tag = bracketed === undefined ? null : withoutUid(bracketed, uid)
    if (tag === null && html === undefined) continue
    addText(builder, valid.slice(at, token.index))
    at = token.index + whole.length
    if (tag === null) {
      readHtml(builder, html ?? '')
      isCut = !whole.endsWith('>')
    } else if (tag.startsWith('/')) builder.close(elementName(tag.slice(1)))
    else open(builder, tag)
  }
  addText(builder, valid.slice(at))
  return { root: builder.root, isCut }
}

function addText(builder: TreeBuilder, text: string): void {
  const isHighlighted = builder.isOpen('CODE')
  builder.lines(decoded(isHighlighted ? text.replaceAll('&nbsp;', ' ') : text))
}

// Code in PHP was stored with its colours, where blanks are references; other tags are comments, around smilies and links.
function readHtml(builder: TreeBuilder, html: string): void {
  const name = /^\/?[a-z]+/i.exec(html)?.[0].toLowerCase()
  if (name === 'br') builder.lines('\n')
  else if (name === 'a') builder.open('URL', { url: attributeOf(html, 'href') })
  else if (name === '/a') builder.close('URL')
  else if (name === 'img') {
    builder.open('E')
    builder.text(attributeOf(html, 'alt'))
    builder.close('E')
  }
}

function attributeOf(html: string, name: string): string {
  const mark = ` ${name}="`
  const begin = html.indexOf(mark)
  if (begin < 0) return ''
  const from = begin + mark.length
  const end = html.indexOf('"', from)
  return decoded(html.slice(from, end < 0 ? undefined : end))
}

// The end of a list or an item tells its kind too: `[/list:o:uid]`, `[/*:m:uid]`.
function withoutUid(tag: string, uid: string): string | null {
  return uid !== '' && tag.endsWith(`:${uid}`) ? tag.slice(0, -uid.length - 1) : null
}

function elementName(tag: string): string {
  const name = (/^[^=:\s]*/.exec(tag)?.[0] ?? '').toUpperCase()
  return name === '*' ? 'LI' : name
}

function open(builder: TreeBuilder, tag: string): void {
  const name = elementName(tag)
  const sign = tag.indexOf('=')
  const value = sign < 0 ? null : unquoted(decoded(tag.slice(sign + 1)))
  // An item without an end is closed by the next.
  if (name === 'LI' && builder.innermost() === 'LI') builder.close('LI')
  builder.open(name, value === null ? {} : attributesOf(name, value))
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

const attributes: Readonly<Record<string, string>> = {
  QUOTE: 'author',
  URL: 'url',
  EMAIL: 'email',
  CODE: 'lang',
  ATTACHMENT: 'index',
}

function attributesOf(name: string, value: string): Record<string, string> {
  if (name === 'LIST') return /^[1aAiI]$/.test(value) ? { type: 'decimal' } : {}
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return attribute === undefined ? {} : { [attribute]: value }
}
