export type Direction = 'ltr' | 'rtl'

// Letters of the scripts that Unicode lays out from right to left: Hebrew, Arabic, Syriac, Thaana, N’Ko and those after them, with their other forms.
const rightToLeft = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The direction of a text's first letter; null if it has no letter. */
export function directionOf(text: string): Direction | null {
  const letter = /\p{L}/u.exec(text)?.[0]
  if (letter === undefined) return null
  return rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

const isolated = /\u2068[^\u2068\u2069]*\u2069/g

/** A text to be inserted into a line: wrapped in bidi isolates if it could reorder its neighbours. Idempotent. */
export function isolate(text: string): string {
  return rightToLeft.test(text.replaceAll(isolated, '')) ? `\u2068${text}\u2069` : text
}

/** `isolate` for all values of a message. */
export function isolateAll<Value>(values: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolate(value) : value]))
}
