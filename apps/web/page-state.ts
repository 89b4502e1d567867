import { escapeJson } from '#base/escape.ts'

/** The JSON of an answer that a loader got, escaped for a script element; if it is known. */
export type TextOf = (answer: object) => string | undefined
type State = { language: string; loaderData: Readonly<Record<string, unknown>> | null; errors: unknown }

/** The state of a page for the browser, as JSON for a script element. Answers that are JSON already are not serialised again. */
export function stateBlock({ language, loaderData, errors }: State, textOf: TextOf = () => undefined): string {
  const text = (value: unknown) => (isObject(value) ? textOf(value) : undefined)
  const data = loaderData && objectBlock(loaderData, (its) => text(its) ?? (isPlain(its) ? objectBlock(its, text) : undefined))
  return `{"language":${dataBlock(language)},"loaderData":${data ?? 'null'},"errors":${dataBlock(errors)}}`
}

/** A value as JSON for a script element. */
export function dataBlock(value: unknown): string {
  return escapeJson(JSON.stringify(value))
}

function objectBlock(object: object, blockOf: (value: unknown) => string | undefined): string {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  return `{${entries.map(([name, value]) => `${dataBlock(name)}:${blockOf(value) ?? dataBlock(value)}`).join()}}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isPlain(value: unknown): value is object {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype
}
