import { dayAt, addDays, minuteAt, startOfDay } from '#base/server/calendar.ts'
import type { rhythms } from '#notification/notification-contract.ts'

export type Rhythm = { rhythm: (typeof rhythms)[number]; hour: number }

const minMinutesBetween = 5

/**
 * The earliest time of the next e-mail after one that is sent now: in some minutes; or at the hour of the next day, or of the next Monday.
 */
export function nextEmailAt({ rhythm, hour }: Rhythm, zone: string, now = Date.now()): Date {
  if (rhythm === 'atOnce') return new Date(now + minMinutesBetween * 60_000)
  const today = dayAt(now, zone)
  for (let days = 0; ; days++) {
    const day = addDays(today, days)
    const at = startOfDay(day, zone, hour)
    if (at.getTime() > now && (rhythm === 'day' || isMonday(day))) return at
  }
}

function isMonday(day: string): boolean {
  return new Date(day).getUTCDay() === 1
}

export type QuietHours = { from: number; to: number }

/** The end of the present quiet hours; null outside of them. */
export function quietHoursEnd({ from, to }: QuietHours, zone: string, now = Date.now()): Date | null {
  const hour = Number(minuteAt(now, zone).slice(11, 13))
  const isQuiet = from < to ? from <= hour && hour < to : from <= hour || hour < to
  if (!isQuiet) return null
  const today = dayAt(now, zone)
  const end = startOfDay(today, zone, to)
  return end.getTime() > now ? end : startOfDay(addDays(today, 1), zone, to)
}
