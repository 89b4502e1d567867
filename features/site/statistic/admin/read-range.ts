import type { RawInput } from '#base/contract.ts'
import { messageOf, type ValidationMessage } from '#base/validation.ts'
import { dashboard } from '#statistic/contract.ts'

export type RangeErrors = { from?: ValidationMessage; to?: ValidationMessage }

/** The range of the URL, or the errors of its fields together with the default range. */
export function readRange(params: URLSearchParams): { range: RawInput<typeof dashboard>; wrong: RangeErrors } {
  const values = Object.fromEntries(['days', 'from', 'to'].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])))
  const { data, error } = dashboard.input.safeParse({ ...values, ...('days' in values && { days: Number(values['days']) }) })
  if (!error) return { range: data, wrong: {} }
  return { range: {}, wrong: Object.fromEntries(error.issues.map((issue) => [String(issue.path[0]), messageOf(issue)])) }
}
