const dayMs = 86_400_000
const defaultDays = 30
export const maxRange = 400
export const ranges = [7, 30, 90, 365] as const

/** Days of the site, both ends included. */
export type Range = { first: string; last: string; days: number; isToToday: boolean }

type RangeParams = { days?: number | undefined; from?: string | undefined; to?: string | undefined }

/**
 * Resolves a range: the last days, or from one day to another. Days after `day`, the site's current day, are cut off; by default, days that
 * are in the future in every time zone.
 */
export function rangeOf({ days = defaultDays, from, to }: RangeParams, day = dayOf(Math.floor(Date.now() / dayMs) + 1)): Range {
  const today = numberOf(day)
  const last = to === undefined ? today : Math.min(numberOf(to), today)
  const first = from === undefined ? last - days + 1 : numberOf(from)
  return { first: dayOf(first), last: dayOf(last), days: last - first + 1, isToToday: last === today }
}

/** The days of a range. */
export function daysOf({ first, days }: Range): string[] {
  return Array.from({ length: days }, (_, place) => dayOf(numberOf(first) + place))
}

function numberOf(day: string): number {
  return Date.parse(day) / dayMs
}

function dayOf(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10)
}
