import type { FindingView } from '#maintenance/doctor-contract.ts'

export type Finding = FindingView

type Values = FindingView['values']

export function ok(word: string, values: Values = {}): Finding {
  return { state: 'ok', word, values }
}

/** Something to see to. */
export function warn(word: string, values: Values = {}): Finding {
  return { state: 'warn', word, values }
}

/** Something that is wrong now. */
export function bad(word: string, values: Values = {}): Finding {
  return { state: 'bad', word, values }
}

/** Something that could not be checked. */
export function unknown(word: string, values: Values = {}): Finding {
  return { state: 'unknown', word, values }
}

/** An error of another machine in a few words. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError && !error.message ? error.errors[0] : error
  return first instanceof Error ? (first.message.split('\n')[0] ?? '') : String(first)
}
