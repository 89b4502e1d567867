import { countGraphemes, graphemeSegments } from 'unicode-segmenter/grapheme'

/** Upper bound of UTF-16 units in one character that people write: a kiss of two people with skin tones takes fifteen. */
export const mostUnits = 16

/** The number of characters as people see them: a family emoji of four is one. */
export function countOf(text: string): number {
  return countGraphemes(text)
}

/** The grapheme clusters of a text, in order. */
export function* charactersIn(text: string): Generator<string> {
  for (const { segment } of graphemeSegments(text)) yield segment
}

/** Whether a text has at most `most` characters. A run of joiners does not count as one endless character. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= most * mostUnits && countOf(text) <= most)
}

/** Whether a text has at least `least` characters. Reads no more of it than they can take. */
export function isAtLeast(text: string, least: number): boolean {
  return text.length >= least && countOf(text.slice(0, least * mostUnits)) >= least
}

/** The first `most` characters of a text, none of them split. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  let [count, end] = [0, 0]
  for (const { segment, index } of graphemeSegments(text.slice(0, most * mostUnits))) {
    if (count++ === most) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** At most `most` characters, the last an ellipsis if text was cut off. */
export function cut(text: string, most: number): string {
  return isWithin(text, most) ? text : `${beginningOf(text, most - 1).trimEnd()}…`
}

/** The `maxLength` of an input, which counts UTF-16 units. A text of too many characters is refused at the field when it is sent. */
export function roomFor(characters: number | undefined): number | undefined {
  return characters === undefined ? undefined : characters * mostUnits
}
