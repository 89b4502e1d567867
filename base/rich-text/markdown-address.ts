import type MarkdownIt from 'markdown-it'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'
import { addressAt } from '#base/rich-text/address.ts'

// Slightly longer than the longest address.
const runPattern = /[^\s<`]{0,2100}/y

/** An address in running text. It is parsed before emphasis, so that asterisks and underscores in it have no meaning. */
export function addressRule(state: StateInline, isSilent: boolean): boolean {
  const { pos, posMax, src } = state
  if (!src.startsWith('://', pos)) return false
  const [scheme] = /https?$/i.exec(src.slice(Math.max(0, pos - 5), pos)) ?? []
  if (!scheme || (!isSilent && !state.pending.endsWith(scheme))) return false
  const start = pos - scheme.length
  // The next one may follow directly.
  if (/[a-z\d]/i.test(src[start - 1] ?? '') && state.pending !== scheme) return false
  runPattern.lastIndex = start
  const run = (runPattern.exec(src)?.[0] ?? '').slice(0, posMax - start)
  const { text, placeOf } = unescaped(run.slice(0, syntaxIn(run, state, start)), state.md)
  const address = addressAt(text, 0)
  if (!address || start + placeOf(address.to) <= pos) return false
  if (!isSilent) {
    state.pending = state.pending.slice(0, -scheme.length)
    const token = state.push('address', '', 0)
    token.content = text.slice(0, address.to)
    token.meta = { href: address.href }
  }
  state.pos = start + placeOf(address.to)
  return true
}

const escapes = /\\[!-/:-@[-`{-~]|&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,31});/gi

/** The unescaped text, with a mapping of its positions to the source. */
function unescaped(written: string, { utils }: MarkdownIt): { text: string; placeOf: (at: number) => number } {
  const shifts: { from: number; by: number }[] = []
  let by = 0
  const text = written.replaceAll(escapes, (escape: string, at: number) => {
    const decoded = utils.unescapeAll(escape)
    by += escape.length - decoded.length
    shifts.push({ from: at + escape.length - by, by })
    return decoded
  })
  return { text, placeOf: (at) => at + (shifts.findLast(({ from }) => from <= at)?.by ?? 0) }
}

// A link, picture, mention or span that follows directly.
const bracketed = /[!@]?\[[^[\]]*\][({]/

/** The position of Markdown syntax that ends the address: a bracket that begins something, or the end of an open emphasis. */
function syntaxIn(run: string, state: StateInline, start: number): number {
  const bracket = run.search(bracketed)
  const end = bracket < 0 ? run.length : bracket
  if (state.delimiters.length === 0) return end
  for (const { 0: sign, index } of run.slice(0, end).matchAll(/\\.|\*+|_+|~~+/g)) {
    if (isOpen(state, sign.charCodeAt(0)) && state.scanDelims(start + index, !sign.startsWith('_')).can_close) return index
  }
  return end
}

type Delimiters = StateInline['delimiters']
const openEmphasis = new WeakMap<Delimiters, { read: number; open: Map<number, number> }>()

/** Whether this delimiter would close an open emphasis. Each delimiter is counted once, however many addresses follow it. */
function isOpen({ delimiters }: StateInline, marker: number): boolean {
  const counted = openEmphasis.get(delimiters) ?? { read: 0, open: new Map<number, number>() }
  openEmphasis.set(delimiters, counted)
  for (; counted.read < delimiters.length; counted.read++) {
    const sign = delimiters[counted.read]
    const open = sign ? (counted.open.get(sign.marker) ?? 0) : 0
    if (sign?.close && open > 0) counted.open.set(sign.marker, open - 1)
    else if (sign?.open) counted.open.set(sign.marker, open + 1)
  }
  return (counted.open.get(marker) ?? 0) > 0
}
