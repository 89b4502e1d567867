import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'

export type Schedule = { /** 0: never. */ days: number; hour: number; timeZone: string }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The time of the next scheduled backup after the last one: at the configured hour, half a day early at most. Null: never. */
export function nextAfter(last: Date | null, now: Date, { days, hour, timeZone }: Schedule): Date | null {
  if (days === 0) return null
  // The first backup is due at the next such hour.
  const earliest = last ? last.getTime() + days * dayMs - dayMs / 2 : now.getTime() - hourMs
  const day = dayAt(earliest, timeZone)
  const sameDay = startOfDay(day, timeZone, hour)
  return sameDay.getTime() > earliest ? sameDay : startOfDay(addDays(day, 1), timeZone, hour)
}
