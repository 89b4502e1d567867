import { countGraphemes, graphemeSegments } from 'unicode-segmenter/grapheme'

/** No character that people write takes as many units: a kiss of two people with their colours takes fifteen. */
export const mostUnits = 16

/** How many characters people see in a text: a family of four is one. */
export function countOf(text: string): number {
  return countGraphemes(text)
}

/** The characters of a text, one after the other. */
export function* charactersIn(text: string): Generator<string> {
  for (const { segment } of graphemeSegments(text)) yield segment
}

/** Whether a text has at most so many characters. Heaps of joiners are not one character without end. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= most * mostUnits && countOf(text) <= most)
}

/** Whether a text has at least so many characters. No more of it is looked at than they may take. */
export function isAtLeast(text: string, least: number): boolean {
  return text.length >= least && countOf(text.slice(0, least * mostUnits)) >= least
}

/** The first so many characters of a text, whole. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  let [count, end] = [0, 0]
  for (const { segment, index } of graphemeSegments(text.slice(0, most * mostUnits))) {
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
