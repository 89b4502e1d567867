import { safeUrl } from '#base/rich-text/safe-url.ts'
import { trimEndChars } from '#base/trim.ts'

/** The position of an address in a text, and its target, which is null for one that is too long or has an invalid host. */
export type Address = { from: number; to: number; href: string | null }

/**
 * The web addresses in running text: one rule for typed, pasted and Markdown text.
 *
 * - Letters, digits and marks of any script belong to an address, in its host and in its path: `https://zh.wikipedia.org/wiki/茶道` is one.
 *   A Chinese word directly after a path is therefore part of it, as on GitHub and Discourse: nothing tells `/item/C语言` from `/a这里`.
 *   After a host it is not, if the last label changes from Latin letters to another script.
 * - Brackets belong to it in pairs. It ends before an unmatched closing bracket, and before one that is never closed in it.
 * - Trailing punctuation is left out, and so is a comma, semicolon or full stop that Chinese follows directly. Full-width punctuation, quotation marks and long dashes always end it, as do blanks, emoji and other
 *   symbols.
 * - A cut never changes the host: where the text continues like the name of another host, there is no address.
 */
export function addressesIn(text: string): Address[] {
  const found: Address[] = []
  let at = 0
  for (const { index } of text.matchAll(scheme)) {
    // The next one may follow directly.
    for (let address = index < at ? null : addressAt(text, index); address; address = addressAt(text, at)) {
      at = address.to
      found.push(address)
    }
  }
  return found
}

/** The address that begins at this position; null if there is none. */
export function addressAt(text: string, from: number): Address | null {
  const host = hostAt(text, from)
  if (!host) return null
  const to = host.isWhole ? pathEnd(text, host.end) : host.end
  // Joiners are invisible, so they are percent-encoded.
  return { from, to, href: safeUrl(text.slice(from, to).replaceAll(/[\u200c\u200d]/g, encodeURIComponent)) }
}

/** Whether an address may continue into this text. */
export function continuesAddress(following: string): boolean {
  return !endCharacter.test(following)
}

const scheme = /(?<![a-z\d])https?:\/\//gi
// Quotation marks, long dashes, ellipses, and the full-width punctuation of Chinese and Japanese.
const endingCharacters = String.raw`"<>\\\u0060\u00ab\u00bb\u2014\u2015\u2018-\u201f\u2025\u2026\u2039\u203a\u3001-\u3003\u3008-\u3020\u3030\u303d\ufe0e-\ufe19\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`
const endCharacter = new RegExp(String.raw`[\s\ufffc${endingCharacters}]`, 'u')
const letter = String.raw`[\p{L}\p{N}\p{M}]`
// Persian and Indic scripts use them within words.
const joiner = String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`
const keycap = String.raw`[\d#*]\ufe0f`

const label = String.raw`(?:(?!${keycap})[\p{L}\p{N}\p{M}%_-]|${joiner})+`
const opening = /https?:\/\/(?:[\p{L}\p{N}\p{M}._~!$&'*+,;=:%-]*@)?/iuy
const hostName = new RegExp(String.raw`\[[\da-f:.]{2,45}\]|${label}(?:\.${label})*`, 'iuy')
const port = /(?::\d{1,5}(?![a-z\d_]))?(?:\.(?=[/?#]))?/iy
// No top-level domain mixes Latin letters with another script.
const latinStart = /^(?:[\p{sc=Latin}\d]|[_-]+(?=[\p{sc=Latin}\d]))+(?=[_-]*(?!\p{sc=Latin})\p{L})/u
// Text with which the name of another host would continue.
const otherHost = new RegExp(String.raw`[^\s/?#${endingCharacters}]*@|[\p{Extended_Pictographic}\u200d\ufe0f]+\.${letter}`, 'uy')
const nextScheme = /https?$/i
const wideDot = new RegExp(String.raw`[\u3002\uff0e\uff61]${letter}`, 'uy')

function hostAt(text: string, from: number): { end: number; isWhole: boolean } | null {
  const begin = from + matchAt(opening, text, from).length
  const named = begin > from ? matchAt(hostName, text, begin) : ''
  const all = text.startsWith('://', begin + named.length) ? named.replace(nextScheme, '') : named
  const host = trimEndChars(all, '._-')
  if (!host) return null
  const last = host.lastIndexOf('.') + 1
  const [latin] = latinStart.exec(host.slice(last)) ?? []
  const isWhole = latin === undefined && host === all
  const hostEnd = begin + (latin === undefined ? host.length : last + latin.length)
  const end = isWhole ? hostEnd + matchAt(port, text, hostEnd).length : hostEnd
  const isOther = matchAt(otherHost, text, end) !== '' || (!host.includes('.') && matchAt(wideDot, text, end) !== '')
  return isOther ? null : { end, isWhole }
}

// A second address after a comma or a word is not part of the first.
const nextAddress = String.raw`(?<=[,;|)\]}]|[^\0-\x7f])https?:\/\/`
// A sentence goes on in Chinese or Japanese after half-width punctuation.
const chineseSentence = String.raw`[,;.!][\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`
const path = new RegExp(
  String.raw`[/?#](?:(?![${endingCharacters}]|${keycap}|${nextAddress}|${chineseSentence})[\p{L}\p{N}\p{M}\p{P}$+=^|~]|${joiner})*`,
  'iuy',
)
const maxLength = 2000
const atEnd = /[.,;:!?'*|^]|(?![\0-\x7f])\p{P}/u

function pathEnd(text: string, from: number): number {
  const all = matchAt(path, text, from)
  // Longer than any address. It is skipped as a whole, otherwise every further one in it would be read to its end again.
  if (all.length > maxLength) return from + all.length
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

/** The match at exactly this position. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
