import type MarkdownIt from 'markdown-it'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'

const pairs: Readonly<Record<string, string>> = { b: 'b', i: 'i', u: 'u', s: 's', spoiler: 'span', wrap: 'span', url: 'a' }
const paired = /\[(\/?)(b|i|u|s|spoiler|wrap|url)((?:=[^[\]\n]{0,500})?)\]/iy
const whole = /\[(url|img)\]([^[\]\s]{1,2000})\[\/\1\]/iy
const contents = /\[\[toc\]\]|\[toc\](?!\()/iy
const date = /\[date(?:-range)?((?:[= ][^[\]\n]{0,300}))\]/iy

/** Tags of BBCode within a line, as HTML. One without its other half is text, and a table of contents is made anew by each program. */
function inlineRule(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '[') return false
  const found = wholeAt(state) ?? dateAt(state) ?? pairedAt(state, isSilent)
  if (!found) return false
  if (!isSilent) {
    const token = state.push(found.type, '', 0)
    token.content = found.content
    token.meta = { note: found.note }
  }
  state.pos += found.length
  return true
}

type Found = { type: 'html_inline' | 'text'; content: string; length: number; note: string | undefined }

function at(pattern: RegExp, { pos, posMax, src }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos
  const found = pattern.exec(src)
  return found && pattern.lastIndex <= posMax ? found : null
}

function wholeAt(state: StateInline): Found | null {
  const [toc] = at(contents, state) ?? []
  if (toc !== undefined) return { type: 'html_inline', content: '', length: toc.length, note: undefined }
  const [all, name, written = ''] = at(whole, state) ?? []
  if (all === undefined) return null
  const address = state.md.utils.escapeHtml(written)
  const content = name?.toLowerCase() === 'img' ? `<img src="${address}">` : `<a href="${address}">${address}</a>`
  return { type: 'html_inline', content, length: all.length, note: undefined }
}

/** A date as it was typed, which Discourse shows in the zone of the reader. */
function dateAt(state: StateInline): Found | null {
  const [all, argument = ''] = at(date, state) ?? []
  if (all === undefined) return null
  const value = (name: string) => new RegExp(`(?:^| )${name}="?([^" ]+)`).exec(argument)?.[1]
  const day = /^=?"?(\d{4}-\d\d-\d\d)/.exec(argument)?.[1] ?? value('from')?.replace('T', ' ')
  if (day === undefined) return null
  const until = value('to')?.replace('T', ' ')
  const parts = [day, value('time'), until === undefined ? undefined : `– ${until}`, value('timezone')]
  return { type: 'text', content: parts.filter(Boolean).join(' '), length: all.length, note: undefined }
}

/** Where each name ends for the last time, and how many of it are open. */
type Halves = { lower: string; last: Map<string, number>; open: Map<string, number> }
const halvesOf = new WeakMap<StateInline, Halves>()

function pairedAt(state: StateInline, isSilent: boolean): Found | null {
  const [all, slash, written = '', argument = ''] = at(paired, state) ?? []
  if (all === undefined) return null
  const name = written.toLowerCase()
  const halves = halvesOf.get(state) ?? { lower: state.src.toLowerCase(), last: new Map(), open: new Map() }
  halvesOf.set(state, halves)
  const last = halves.last.get(name) ?? halves.lower.lastIndexOf(`[/${name}]`)
  halves.last.set(name, last)
  const open = halves.open.get(name) ?? 0
  if (slash === '' ? last < state.pos : open === 0) return null
  if (slash === '' && (name === 'url') !== (argument !== '') && name !== 'wrap') return null
  if (!isSilent) halves.open.set(name, open + (slash === '' ? 1 : -1))
  const address = state.md.utils.escapeHtml(argument.slice(1).replaceAll('"', ''))
  const content = slash === '' ? (name === 'url' ? `<a href="${address}">` : `<${pairs[name]}>`) : `</${pairs[name]}>`
  return { type: 'html_inline', content, length: all.length, note: name === 'spoiler' ? 'spoiler' : undefined }
}

export function addInlineTags(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'discourse', inlineRule)
}
