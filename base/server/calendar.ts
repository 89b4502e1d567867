import { sql, type RawBuilder } from 'kysely'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The calendar day in a time zone, as 2026-11-22. */
export function dayAt(moment: number | Date, zone: string): string {
  return new Date(wallClockMs(Number(moment), zone)).toISOString().slice(0, 10)
}

/** The day and the minute, as 2026-11-22 08:30. */
export function minuteAt(moment: number | Date, zone: string): string {
  return new Date(wallClockMs(Number(moment), zone)).toISOString().slice(0, 16).replace('T', ' ')
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** The start of a day in a time zone, or of an hour of it; a time skipped by daylight saving becomes the moment of the change. */
export function startOfDay(day: string, zone: string, hour = 0): Date {
  const wallClock = Date.parse(day) + hour * hourMs
  // A clock changes at most once within four days, so one of these two offsets from UTC applies.
  const moments = [wallClock - 2 * dayMs, wallClock + 2 * dayMs].map((near) => wallClock - (wallClockMs(near, zone) - near))
  return new Date(Math.min(...moments.filter((moment) => wallClockMs(moment, zone) >= wallClock)))
}

/** The same in a query: the calendar day of a timestamp. */
export function sqlDay(at: RawBuilder<unknown>, zone: string): RawBuilder<string> {
  return sql<string>`(${at} at time zone ${zone}::text)::date`
}

/** The start of a day of a query; where a clock shows midnight twice, the second. */
export function sqlStartOfDay(day: RawBuilder<unknown>, zone: string): RawBuilder<Date> {
  return sql<Date>`(${day}::timestamp at time zone ${zone}::text)`
}

// The wall clock time there, in milliseconds as if it were UTC.
function wallClockMs(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1_000) + 1_000) % 1_000)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en', { ...fields, hourCycle: 'h23', timeZone: zone, calendar: 'gregory' })
  formats.set(zone, format)
  return format
}
