import { countGraphemes, graphemeSegments } from 'unicode-segmenter/grapheme'

/** Upper bound of UTF-16 units in one character that people write: a kiss of two people with skin tones takes fifteen. */
export const maxUnitsPerCharacter = 16

/** The number of characters as people see them: a family emoji of four is one. */
export function countCharacters(text: string): number {
  return countGraphemes(text)
}

/** The grapheme clusters of a text, in order. */
export function* charactersIn(text: string): Generator<string> {
  for (const { segment } of graphemeSegments(text)) yield segment
}

/** Whether a text has at most `most` characters. A run of joiners does not count as one endless character. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * maxUnitsPerCharacter && countCharacters(text) <= max)
}

/** Whether a text has at least `least` characters. Reads no more of it than they can take. */
export function hasAtLeast(text: string, min: number): boolean {
  return text.length >= min && countCharacters(text.slice(0, min * maxUnitsPerCharacter)) >= min
}

/** The first `most` characters of a text, none of them split. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  let [count, end] = [0, 0]
  for (const { segment, index } of graphemeSegments(text.slice(0, max * maxUnitsPerCharacter))) {
    if (count++ === max) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** At most `most` characters, the last an ellipsis if text was cut off. */
export function truncate(text: string, max: number): string {
  return hasAtMost(text, max) ? text : `${firstCharacters(text, max - 1).trimEnd()}…`
}

/** The `maxLength` of an input, which counts UTF-16 units. A text of too many characters is refused at the field when it is sent. */
export function maxLengthFor(characters: number | undefined): number | undefined {
  return characters === undefined ? undefined : characters * maxUnitsPerCharacter
}
