import { addressesIn } from '#base/rich-text/address.ts'
import type { Inline } from '#base/rich-text/document.ts'
import { discuzSmileyCodes } from '#importer/server/body/discuz-smileys.ts'
import { trimEndChars } from '#base/trim.ts'
import { textPieces, validText } from '#importer/server/body/pieces.ts'

export type DiscuzTextOptions = {
  /** The emoji for a code such as `:)` or `{:4_87:}`; null keeps the code. Null if the message has its smileys off. */
  smiley: ((code: string) => string | null) | null
  /** Codes of the board, where they differ from those that Discuz! is installed with. */
  smileyCodes?: readonly string[] | undefined
  /** Whether bare addresses lead there. */
  linksAddresses: boolean
}
export type DiscuzText = { inlines: (text: string, isLinked: boolean) => Inline[]; smileys: (text: string) => string }

/** Text between tags: smileys, bare addresses, and the names of members. */
export function discuzText({ smiley, smileyCodes = discuzSmileyCodes, linksAddresses }: DiscuzTextOptions): DiscuzText {
  const code = new RegExp([String.raw`\{:\d{1,6}_\d{1,9}:\}`, ...[...smileyCodes].sort(longestFirst).map(pattern)].join('|'), 'g')
  const smileys = (text: string) => (smiley ? text.replaceAll(code, (found) => smiley(found) ?? found) : text)
  const inlines = (text: string, isLinked: boolean): Inline[] => {
    if (isLinked) return textPieces(smileys(text))
    const all: Inline[] = []
    let at = 0
    for (const { from, to, href } of linksAddresses ? addressesIn(text) : []) {
      if (href === null) continue
      addNames(all, text.slice(at, from), smileys)
      all.push({ type: 'text', text: validText(text.slice(from, to)), marks: [{ type: 'link', attrs: { href } }] })
      at = to
    }
    addNames(all, text.slice(at), smileys)
    return all
  }
  return { inlines, smileys }
}

/**
 * A board whose charset lacks a character stores what browsers send for it, a decimal reference of HTML. Each is decoded once.
 * HTML Standard, encoding of form data.
 */
export function withoutReferences(text: string): string {
  return text.replaceAll(/&#(\d{1,7});/g, (reference, digits: string) => {
    const code = Number(digits)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })
}

function longestFirst(one: string, other: string): number {
  return other.length - one.length
}

/** A code that ends in a letter is none within a word. */
function pattern(code: string): string {
  return code.replaceAll(/[^\w\s]/g, String.raw`\$&`) + (/[a-z\d]$/i.test(code) ? String.raw`(?![a-z\dA-Z])` : '')
}

// Of letters of any script, as long as Discuz! allows; the sign stands at the beginning of a word, or after Chinese.
const name = /(?<![\p{L}\p{N}_.@/-])@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*)|(?<=\p{sc=Han})@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*)/gu
const maxName = 15

function addNames(inlines: Inline[], text: string, smileys: (text: string) => string): void {
  let at = 0
  for (const { 1: first, 2: second, index } of text.matchAll(name)) {
    const label = trimEndChars(first ?? second ?? '', '.-')
    if (label.length > 2 * maxName || [...label].length > maxName) continue
    for (const piece of textPieces(smileys(text.slice(at, index)))) inlines.push(piece)
    inlines.push({ type: 'mention', attrs: { id: `import:name/${label}`, label } })
    at = index + 1 + label.length
  }
  for (const piece of textPieces(smileys(text.slice(at)))) inlines.push(piece)
}
