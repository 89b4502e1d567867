import { plainKey } from '#audit/named.ts'

/** One field that a deed changed: what is in it no more, and what is in it now. */
export type Changed = { key: string; removed: string[]; added: string[] }
/** Says a value in words, by the field it stands in. */
export type SayValue = (key: string, value: unknown) => string

// What a form was read at is no news.
const untold = new Set(['version', 'revision'])

/** What is different, field by field; of lists only what came and what went. */
export function changesBetween(before: unknown, after: unknown, say: SayValue): Changed[] {
  const [was, is] = [fieldsOf(before, say), fieldsOf(after, say)]
  const keys = [...new Set([...was.keys(), ...is.keys()])].filter((key) => !untold.has(key))
  return keys.flatMap((key) => {
    const [first, then] = [was.get(key) ?? [], is.get(key) ?? []]
    const removed = first.filter((one) => !then.includes(one))
    const added = then.filter((one) => !first.includes(one))
    return removed.length + added.length > 0 ? [{ key, removed, added }] : []
  })
}

// What is a value alone, such as a setting, stands under no name.
function fieldsOf(value: unknown, say: SayValue): Map<string, string[]> {
  if (!isFields(value)) return new Map([['', textsOf('', value, say)]])
  return new Map(Object.entries(value).map(([key, one]) => [plainKey(key), textsOf(plainKey(key), one, say)]))
}

function textsOf(key: string, value: unknown, say: SayValue): string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsOf(key, one, say))
  if (!isFields(value)) return [say(key, value)]
  const parts = Object.entries(value).flatMap(([name, one]) => textsOf(plainKey(name), one, say))
  return parts.length > 0 ? [parts.join(' · ')] : []
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
