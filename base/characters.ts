import { lazily } from '#base/lazily.ts'

const segmenter = lazily(() => new Intl.Segmenter('und', { granularity: 'grapheme' }))

// What may be one character together with what stands beside it: marks, joiners, pairs of surrogates, Korean letters, the ends of lines.
const joining = String.raw`\p{M}\p{Cf}\r\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u{10000}-\u{10ffff}`
const mayJoin = new RegExp(`[${joining}]`, 'u')
const joined = new RegExp(`(?:[^${joining}]?[${joining}]+)+[^${joining}]?`, 'gu')

/** No character that people write takes as many units: a kiss of two people with their colours takes fifteen. */
export const mostUnits = 16

/** How many characters people see in a text: a family of four is one. Only where characters may join are they looked for. */
export function countOf(text: string): number {
  if (!mayJoin.test(text)) return text.length
  let count = text.length
  for (const [part] of text.matchAll(joined)) count += pieces(part) - part.length
  return count
}

function pieces(text: string): number {
  let count = 0
  for (const _ of segmenter().segment(text)) count++
  return count
}

/** The characters of a text, one after the other. */
export function* charactersIn(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment
}

/** Whether a text has at most so many characters. Heaps of joiners are not one character without end. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= most * mostUnits && countOf(text) <= most)
}

/** The first so many characters of a text, whole. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most + 1)
  if (!mayJoin.test(start)) return text.slice(0, most)
  let [count, end] = [0, 0]
  for (const { segment, index } of segmenter().segment(text.slice(0, most * mostUnits))) {
    if (count++ === most) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** At most so many characters, the last an ellipsis where something is left out. */
export function cut(text: string, most: number): string {
  return isWithin(text, most) ? text : `${beginningOf(text, most - 1).trimEnd()}…`
}

/** A box counts units, of which a character may have many. What is too long is refused beside it, when it is sent. */
export function roomFor(characters: number | undefined): number | undefined {
  return characters === undefined ? undefined : characters * mostUnits
}
