import type { Inline } from '#base/rich-text/document.ts'
import { quoteHead } from '#importer/server/body/discuz-quote.ts'
import { tagForms } from '#importer/server/body/discuz-tags.ts'
import { withoutReferences, type DiscuzText } from '#importer/server/body/discuz-text.ts'
import type { DiscuzToken } from '#importer/server/body/discuz-tokens.ts'
import { addText, closeTag, endCode, linkMark, openTag, type HtmlTarget } from '#importer/server/body/html.ts'
import { addressText } from '#importer/server/body/link-address.ts'
import type { Container } from '#importer/server/body/container.ts'
import * as build from '#importer/server/body/piece-builder.ts'
import { validText } from '#importer/server/body/pieces.ts'

/** Where the tokens of one message go. */
export type DiscuzTarget = {
  html: HtmlTarget
  isHtml: boolean
  text: DiscuzText
  hasReferences: boolean
  /** The files that stand in the text: each does once. */
  used: Set<string>
}

/** Adds the token at this place, with those that belong to it. Gives the next place. */
export function addToken(to: DiscuzTarget, tokens: readonly DiscuzToken[], at: number): number {
  const token = tokens[at]
  if (token?.type === 'html') openTag(to.html, token.name, token.attributes)
  else if (token?.type === 'html end') closeTag(to.html, token.name)
  else if (token?.type === 'text') addDiscuzText(to, token.text)
  else if (token?.type === 'code') addCode(to, token.text)
  else if (token?.type === 'embed') addEmbed(to, token.name, token.text)
  else if (token?.type === 'end') endTag(to, token.name)
  else if (token?.type === 'begin') return beginTag(to, tokens, at)
  return at + 1
}

function addDiscuzText(to: DiscuzTarget, text: string): void {
  if (to.isHtml) addText(to.html, text)
  else addInlines(to, inlinesOf(to, text))
}

function addInlines({ html: { pieces } }: DiscuzTarget, inlines: readonly Inline[]): void {
  for (const inline of inlines) build.add(pieces, inline)
}

function inlinesOf({ html: { pieces }, text: { inlines }, hasReferences }: DiscuzTarget, text: string): Inline[] {
  const isLinked = build.marksHere(pieces).some(({ type }) => type === 'link' || type === 'code')
  return inlines(validText(hasReferences ? withoutReferences(text) : text), isLinked)
}

function addCode(to: DiscuzTarget, code: string): void {
  const text = validText(to.hasReferences ? withoutReferences(code) : code)
  endCode(to.html)
  if (text !== '') build.add(to.html.pieces, { type: 'codeBlock', attrs: { language: 'markup' }, content: [{ type: 'text', text }] })
}

function addEmbed(to: DiscuzTarget, name: string, text: string): void {
  const { pieces, notes } = to.html
  const isAttachment = name === 'attach' || name === 'attachimg'
  const [, file] = (isAttachment ? /^(\d+)$/ : /^attach:\/\/(\d{1,12})(?:\.\w{0,10})?$/i).exec(text) ?? []
  if (file !== undefined && (isAttachment || name === 'img')) return addFile(to, file)
  notes.add(name === 'img' ? 'picture elsewhere' : name)
  if (name === 'postbg') return
  const hasScheme = /^(?:https?|ftp|rtsp|mms):|^(?:static|data)\//i.test(text)
  if (hasScheme) addInlines(to, addressText(text))
  else build.add(pieces, { type: 'text', text: validText(text), marks: [linkMark(`http://${text}`)].filter((mark) => mark !== null) })
}

/** A file stands where it is first shown. */
export function addFile({ html: { pieces }, used }: DiscuzTarget, id: string): void {
  if (used.has(id)) return
  used.add(id)
  build.add(pieces, { type: 'file', attrs: { file: `import:file/${id}`, name: '', bytes: 1 } })
}

function beginTag(to: DiscuzTarget, tokens: readonly DiscuzToken[], at: number): number {
  const token = tokens[at]
  if (token?.type !== 'begin') return at + 1
  const { name, argument } = token
  const { pieces, notes } = to.html
  const mark = markTags.get(name)
  const container = containerTags.get(name)
  if (tagForms.get(name)?.isLook) notes.add(name)
  if (mark) build.beginMark(pieces, { type: mark })
  else if (container) build.begin(pieces, container)
  else if (name === 'list') build.begin(pieces, { type: 'list', start: argument === '' ? null : 1 })
  else if (name === 'hr') build.add(pieces, { type: 'horizontalRule' })
  else if (lineTags.has(name)) build.breakLine(pieces)
  else if (name === 'url' || name === 'email' || name === 'groupid') return beginLink(to, tokens, at)
  return name === 'quote' ? addQuoteHead(to, tokens, at + 1) : at + 1
}

const markTags = new Map<string, 'bold' | 'italic' | 'strike'>([
  ['b', 'bold'],
  ['i', 'italic'],
  ['s', 'strike'],
])
const containerTags = new Map<string, Container>([
  ['quote', { type: 'blockquote' }],
  ['*', { type: 'item' }],
  ['table', { type: 'table' }],
  ['tr', { type: 'row' }],
  ['td', { type: 'cell', align: null }],
])
const lineTags = new Set(['align', 'p', 'indent', 'free'])

function addQuoteHead(to: DiscuzTarget, tokens: readonly DiscuzToken[], at: number): number {
  const { pieces } = to.html
  const head = quoteHead(tokens, at)
  if (!head) return at
  const link = head.address === null ? null : linkMark(head.address)
  build.add(pieces, {
    type: 'text',
    text: validText(to.hasReferences ? withoutReferences(head.name) : head.name),
    ...(link && { marks: [link] }),
  })
  build.breakLine(pieces)
  return head.next
}

/** A link without an address has the one that is its text. A name that Discuz! linked to its member is a mention. */
function beginLink(to: DiscuzTarget, tokens: readonly DiscuzToken[], at: number): number {
  const { pieces, notes } = to.html
  const [token, inner, end] = tokens.slice(at, at + 3)
  if (token?.type !== 'begin') return at + 1
  const text = inner?.type === 'text' && end?.type === 'end' && end.name === token.name ? inner.text.trim() : ''
  const [, memberId] = /^=home\.php\?mod=space&uid=(\d{1,10})$/.exec(token.argument) ?? []
  if (memberId !== undefined && text.length > 1 && text.length <= maxMention && text.startsWith('@')) {
    build.add(pieces, { type: 'mention', attrs: { id: `import:member/${memberId}`, label: validText(text.slice(1)) } })
    return at + 3
  }
  const link = linkMark(addressOf(token.name, token.argument, text))
  if (!link) notes.add('link without a web address')
  build.beginMark(pieces, link)
  return at + 1
}

const maxMention = 50

function addressOf(tag: string, argument: string, text: string): string {
  const written = argument.slice(1).trim()
  if (tag === 'groupid') return `forum.php?mod=forumdisplay&fid=${written}`
  const address = written || text
  if (tag === 'email') return /^[\w.+-]+@[\w.-]+$/.test(address) ? `mailto:${address}` : ''
  if (/^www\./i.test(address)) return `http://${address}`
  return written !== '' || /^[a-z]+:/i.test(text) ? address : ''
}

function endTag({ html: { pieces } }: DiscuzTarget, name: string): void {
  const mark = markTags.get(name)
  const container = containerTags.get(name)
  if (mark) build.endMark(pieces, mark)
  else if (name === 'list' || name === '*') build.end(pieces, name === 'list' ? 'list' : 'item')
  else if (container) build.end(pieces, container.type)
  else if (lineTags.has(name)) build.breakLine(pieces)
  else if (name === 'url' || name === 'email' || name === 'groupid') build.endMark(pieces, 'link')
}
