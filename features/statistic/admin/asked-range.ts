import type { RawInput } from '#base/contract.ts'
import { messageOf, type ValidationMessage } from '#base/validation.ts'
import { dashboard } from '#statistic/contract.ts'

export type Wrong = { from?: ValidationMessage; to?: ValidationMessage }

/** The range of the URL, or the errors of its fields together with the default range. */
export function askedRange(asked: URLSearchParams): { range: RawInput<typeof dashboard>; wrong: Wrong } {
  const values = Object.fromEntries(['days', 'from', 'to'].flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : [])))
  const { data, error } = dashboard.input.safeParse({ ...values, ...('days' in values && { days: Number(values['days']) }) })
  if (!error) return { range: data, wrong: {} }
  return { range: {}, wrong: Object.fromEntries(error.issues.map((issue) => [String(issue.path[0]), messageOf(issue)])) }
}
