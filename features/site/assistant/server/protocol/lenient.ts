// What a provider sends is read field by field: of any other shape than expected, a field is missing and the rest stands.

export type Fields = Readonly<Record<string, unknown>>

const none: Fields = {}

/** An object, or an empty one in place of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text, or a number as text; empty in place of anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The text of content that is a text, a part with a text, or a list of such parts. Thoughts are no text, nor are numbers. */
export function contentOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(contentOf).join('')
  const { type, text } = fieldsOf(value)
  return typeof text === 'string' && !/think|reason/i.test(textOf(type)) ? text : ''
}

/** Whether a field says something: a text or a number that is not empty. */
export function isFilled(value: unknown): boolean {
  return !['', '0'].includes(textOf(value))
}

/** A number of tokens, also written as text. */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined
}
