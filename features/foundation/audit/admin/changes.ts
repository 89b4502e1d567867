import { plainKey } from '#audit/references.ts'

/** A changed field: the values that were removed and added. */
export type FieldChange = { key: string; removed: string[]; added: string[] }
/** Formats a value, depending on its field. */
export type FormatValue = (key: string, value: unknown) => string

// The version of the form is no change.
const ignoredFields = new Set(['version', 'revision'])

/** The differences field by field; of lists, only the removed and added items. */
export function changesBetween(before: unknown, after: unknown, say: FormatValue): FieldChange[] {
  const [was, is] = [fieldsOf(before, say), fieldsOf(after, say)]
  const keys = [...new Set([...was.keys(), ...is.keys()])].filter((key) => !ignoredFields.has(key))
  return keys.flatMap((key) => {
    const [first, then] = [was.get(key) ?? [], is.get(key) ?? []]
    const removed = first.filter((one) => !then.includes(one))
    const added = then.filter((one) => !first.includes(one))
    return removed.length + added.length > 0 ? [{ key, removed, added }] : []
  })
}

// A bare value, such as a setting, has an empty key.
function fieldsOf(value: unknown, say: FormatValue): Map<string, string[]> {
  if (!isFields(value)) return new Map([['', textsOf('', value, say)]])
  return new Map(Object.entries(value).map(([key, one]) => [plainKey(key), textsOf(plainKey(key), one, say)]))
}

function textsOf(key: string, value: unknown, say: FormatValue): string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsOf(key, one, say))
  if (!isFields(value)) return [say(key, value)]
  const parts = Object.entries(value).flatMap(([name, one]) => textsOf(plainKey(name), one, say))
  return parts.length > 0 ? [parts.join(' · ')] : []
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
