import { safeUrl } from '#base/rich-text/safe-url.ts'
import { withoutAtEnd } from '#base/without.ts'

/** Where an address stands in a text and where it leads, which is nowhere for one that is too long or has an impossible host. */
export type Address = { from: number; to: number; href: string | null }

/**
 * The addresses of the web in running text: one rule, whether the text is typed, pasted or written in Markdown.
 *
 * - Letters, digits and marks of any script belong to an address, in its host and in its path: `https://zh.wikipedia.org/wiki/茶道` is one.
 *   So a Chinese word that follows a path without a blank is read as a part of it, as GitHub and Discourse do: nothing tells `/item/C语言`
 *   from `/a这里`. After a host it is not, where the last label changes from Latin letters to another script.
 * - Brackets belong to it in pairs. It ends before one that closes nothing in it, and before one that is not closed in it.
 * - Punctuation at its end is left out. Full-width marks, quotation marks and long dashes end it wherever they stand, and so do blanks,
 *   emoji and other symbols.
 * - A cut never changes the host: where the text goes on as the name of another host would, there is no address.
 */
export function addressesIn(text: string): Address[] {
  const found: Address[] = []
  let at = 0
  for (const { index } of text.matchAll(scheme)) {
    // One may stand right behind another.
    for (let address = index < at ? null : addressAt(text, index); address; address = addressAt(text, at)) {
      at = address.to
      found.push(address)
    }
  }
  return found
}

/** The address that begins at this place of a text, if there is one. */
export function addressAt(text: string, from: number): Address | null {
  const host = hostAt(text, from)
  if (!host) return null
  const to = host.isWhole ? pathEnd(text, host.end) : host.end
  // Joiners cannot be seen, so they are written out.
  return { from, to, href: safeUrl(text.slice(from, to).replaceAll(/[\u200c\u200d]/g, encodeURIComponent)) }
}

/** Whether an address may still go on behind what follows it. */
export function mayGoOn(following: string): boolean {
  return !surelyEnds.test(following)
}

const scheme = /(?<![a-z\d])https?:\/\//gi
// Quotation marks, long dashes, ellipses, and the full-width marks of Chinese and Japanese.
const ending = String.raw`"<>\\\u0060\u00ab\u00bb\u2014\u2015\u2018-\u201f\u2025\u2026\u2039\u203a\u3001-\u3003\u3008-\u3020\u3030\u303d\ufe0e-\ufe19\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`
const surelyEnds = new RegExp(String.raw`[\s\ufffc${ending}]`, 'u')
const letter = String.raw`[\p{L}\p{N}\p{M}]`
// Persian and the scripts of India have them within words.
const joiner = String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`
const keycap = String.raw`[\d#*]\ufe0f`

const label = String.raw`(?:(?!${keycap})[\p{L}\p{N}\p{M}%_-]|${joiner})+`
const opening = /https?:\/\/(?:[\p{L}\p{N}\p{M}._~!$&'*+,;=:%-]*@)?/iuy
const hostName = new RegExp(String.raw`\[[\da-f:.]{2,45}\]|${label}(?:\.${label})*`, 'iuy')
const port = /(?::\d{1,5}(?![a-z\d_]))?(?:\.(?=[/?#]))?/iy
// No top-level domain mixes Latin letters with those of another script.
const latinStart = /^(?:[\p{sc=Latin}\d]|[_-]+(?=[\p{sc=Latin}\d]))+(?=[_-]*(?!\p{sc=Latin})\p{L})/u
// Ways in which the name of another host goes on behind what was read.
const otherHost = new RegExp(String.raw`[^\s/?#${ending}]*@|[\p{Extended_Pictographic}\u200d\ufe0f]+\.${letter}`, 'uy')
const nextScheme = /https?$/i
const wideDot = new RegExp(String.raw`[\u3002\uff0e\uff61]${letter}`, 'uy')

function hostAt(text: string, from: number): { end: number; isWhole: boolean } | null {
  const begin = from + read(opening, text, from).length
  const named = begin > from ? read(hostName, text, begin) : ''
  const all = text.startsWith('://', begin + named.length) ? named.replace(nextScheme, '') : named
  const host = withoutAtEnd(all, '._-')
  if (!host) return null
  const last = host.lastIndexOf('.') + 1
  const [latin] = latinStart.exec(host.slice(last)) ?? []
  const isWhole = latin === undefined && host === all
  const hostEnd = begin + (latin === undefined ? host.length : last + latin.length)
  const end = isWhole ? hostEnd + read(port, text, hostEnd).length : hostEnd
  const isOther = read(otherHost, text, end) !== '' || (!host.includes('.') && read(wideDot, text, end) !== '')
  return isOther ? null : { end, isWhole }
}

// A second address behind a comma or a word is no part of the first.
const nextAddress = String.raw`(?<=[,;|)\]}]|[^\0-\x7f])https?:\/\/`
const path = new RegExp(String.raw`[/?#](?:(?![${ending}]|${keycap}|${nextAddress})[\p{L}\p{N}\p{M}\p{P}$+=^|~]|${joiner})*`, 'iuy')
const longest = 2000
const atEnd = /[.,;:!?'*|^]|(?![\0-\x7f])\p{P}/u

function pathEnd(text: string, from: number): number {
  const all = read(path, text, from)
  // No address is as long. It is passed over as a whole, or each further one in it would be read to its end again.
  if (all.length > longest) return from + all.length
  let end = pairedEnd(all)
  while (end > 0 && atEnd.test(all[end - 1] ?? '')) end--
  return from + end
}

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

function pairedEnd(text: string): number {
  const open: { at: number; close: string }[] = []
  for (const { 0: bracket, index } of text.matchAll(/[()[\]{}]/g)) {
    const close = closing[bracket]
    if (close) open.push({ at: index, close })
    else if (open.pop()?.close !== bracket) return open[0]?.at ?? index
  }
  return open[0]?.at ?? text.length
}

/** What a pattern finds at exactly this place. */
function read(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
