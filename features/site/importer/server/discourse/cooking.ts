import MarkdownIt, { type Options } from 'markdown-it'
import type Token from 'markdown-it/lib/token.mjs'
import type { Text } from '#base/rich-text/document.ts'
import { addressRule } from '#base/rich-text/markdown-address.ts'
import { limitParser, maxNesting } from '#base/rich-text/markdown-bounds.ts'
import { addDefinitions } from '#base/rich-text/markdown-definitions.ts'
import { piecesFromHtml } from '#importer/server/body/html.ts'
import { linkAddress } from '#importer/server/body/link-address.ts'
import { withReferences, type MarkdownOptions } from '#importer/server/body/markdown.ts'
import { blocksOf, validText } from '#importer/server/body/pieces.ts'
import type { HtmlAttributes } from '#importer/server/body/read-html.ts'
import { addBlocks } from '#importer/server/discourse/block-rule.ts'
import { setOut } from '#importer/server/discourse/block-tags.ts'
import { addInlineTags } from '#importer/server/discourse/inline-tags.ts'
import { quoteHead } from '#importer/server/discourse/quote-head.ts'
import type { SourceBody } from '#importer/server/source.ts'

export type CookingOptions = MarkdownOptions & {
  /** The names of polls that come as such, and leave the text. */
  polls: ReadonlySet<string>
}

/**
 * The body of a text of Discourse: Markdown with HTML and tags of BBCode. It is made into HTML, as there, and read from that, so that HTML
 * around Markdown means what it meant.
 */
export function discourseBody(raw: string, options: CookingOptions): SourceBody {
  const { text, ends } = setOut(validText(raw).replaceAll(/\r\n?/g, '\n'))
  const tokens = md.parse(text, { ends, hides: false, taken: null, used: new Set<string>(), references: Object.create(null) as object })
  const notes = new Set<string>()
  const shown = withoutPolls(tokens, options.polls, notes)
  return htmlBody(md.renderer.render(shown, md.options, {}), options, notes)
}

/** The body of HTML, as some posts are stored. */
export function htmlBody(html: string, options: MarkdownOptions, noted: Iterable<string> = []): SourceBody {
  const picture = (attributes: HtmlAttributes) => pictureAt(attributes, options)
  const { pieces, notes } = piecesFromHtml(html, { picture })
  return withReferences(blocksOf(pieces), options, [...noted, ...notes])
}

/** A picture of the site as a link to its file, which becomes the file with those of other links. */
function pictureAt(attributes: HtmlAttributes, { fileAt }: MarkdownOptions): Text[] | null {
  const [source, label] = [attributes.get('src') ?? '', attributes.get('alt') ?? '']
  if (/(?:^|\s)emoji(?:\s|$)/.test(attributes.get('class') ?? '') && label !== '') return [{ type: 'text', text: validText(label) }]
  const href = linkAddress(shortPath(source))
  if (href === null || !fileAt(href, label)) return null
  return [{ type: 'text', text: validText(label) || href, marks: [{ type: 'link', attrs: { href } }] }]
}

/** `upload://` is no scheme of the web: the address that a browser would be sent to. */
function shortPath(address: string): string {
  return address.replace(/^upload:\/\//, '/uploads/short-url/')
}

const md = new MarkdownIt({ html: true, breaks: true, linkify: false, typographer: false, maxNesting } as Options)
md.validateLink = () => true
md.normalizeLink = shortPath
md.normalizeLinkText = (text) => text
md.use(limitParser).use(addDefinitions).use(addBlocks).use(addInlineTags)
md.inline.ruler.after('text', 'address', addressRule)
Object.assign(md.renderer.rules, {
  address: (tokens: Token[], at: number) => {
    const { content = '', meta } = tokens[at] ?? {}
    return `<a href="${md.utils.escapeHtml(String(meta?.href ?? content))}">${md.utils.escapeHtml(content)}</a>`
  },
  discourse_open: (tokens: Token[], at: number) => beginOf(tokens[at]),
  discourse_close: (tokens: Token[], at: number) => (isQuote(tokens[at]) ? '</blockquote>' : '</div>'),
  td_open: alignedCell,
  th_open: alignedCell,
})

function alignedCell(tokens: Token[], at: number): string {
  const align = tokens[at]?.attrGet('style')?.split(':')[1]
  return align === undefined ? '<td>' : `<td align="${align}">`
}

function isQuote(token: Token | undefined): boolean {
  return token?.meta?.tag === 'quote' || token?.meta?.tag === 'chat'
}

function beginOf(token: Token | undefined): string {
  const argument = String(token?.meta?.argument ?? '')
  if (isQuote(token)) {
    const { name, address } = quoteHead(argument)
    const escaped = md.utils.escapeHtml(name)
    const shown = address === null ? escaped : `<a href="${address}">${escaped}</a>`
    return `<blockquote>${name === '' ? '' : `<p>${shown}:</p>`}`
  }
  if (token?.meta?.tag !== 'details') return '<div>'
  return `<p><b>${md.utils.escapeHtml(unquoted(argument.slice(1)))}</b></p><div>`
}

function unquoted(argument: string): string {
  return argument
    .replace(/(["”]) +open *$/, '$1')
    .trim()
    .replaceAll(/^["“„]|["”“]$/g, '')
}

/** The tokens without polls that come as such. The others stay as lists. */
function withoutPolls(tokens: readonly Token[], polls: ReadonlySet<string>, notes: Set<string>): Token[] {
  const shown: Token[] = []
  let poll: Token | null = null
  for (const token of tokens) {
    noteTag(token, notes)
    if (poll) {
      if (token.type === 'discourse_close' && token.level === poll.level) poll = null
    } else if (isPoll(token) && polls.has(pollName(token))) poll = token
    else {
      if (isPoll(token)) notes.add('poll that stays in its text')
      withoutSizes(token.children ?? [])
      if (token.type === 'fence' || token.type === 'code_block') token.content = token.content.replace(/\n$/, '')
      shown.push(token)
    }
  }
  return shown
}

function isPoll({ type, meta }: Token): boolean {
  return type === 'discourse_open' && meta?.tag === 'poll'
}

function pollName({ meta }: Token): string {
  return /(?:^| )name=["“”]?([^"“”\s]+)/.exec(String(meta?.argument ?? ''))?.[1] ?? 'poll'
}

function noteTag({ type, meta, children }: Token, notes: Set<string>): void {
  if (type === 'discourse_open' && meta?.tag === 'spoiler') notes.add('spoiler')
  for (const child of children ?? []) if (typeof child.meta?.note === 'string') notes.add(child.meta.note)
}

/** The size that Discourse writes behind an attachment is shown with each file here. */
function withoutSizes(tokens: readonly Token[]): void {
  let isUpload = false
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'link_open') isUpload = String(token.attrGet('href')).startsWith('/uploads/short-url/')
    if (token.type === 'text' && isUpload && tokens[at - 1]?.type === 'link_close')
      token.content = token.content.replace(/^ \([\d.,]{1,12} (?:Bytes|KB|MB|GB)\)/, '')
  }
}
