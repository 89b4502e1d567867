import { dayAt, later, startOf } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database.ts'
import type { rhythms } from '#notice/reminder-contract.ts'
import * as setting from '#setting/server/setting.ts'

export type Rhythm = { rhythm: (typeof rhythms)[number]; hour: number }

const restMinutes = 5

/** When the next e-mail may go after one that goes now: in some minutes; or at the hour of the next day, or of the next Monday. */
export function restUntil({ rhythm, hour }: Rhythm, zone: string, now = Date.now()): Date {
  if (rhythm === 'atOnce') return new Date(now + restMinutes * 60_000)
  const today = dayAt(now, zone)
  for (let days = 0; ; days++) {
    const day = later(today, days)
    const at = startOf(day, zone, hour)
    if (at.getTime() > now && (rhythm === 'day' || isMonday(day))) return at
  }
}

function isMonday(day: string): boolean {
  return new Date(day).getUTCDay() === 1
}

/** Whose clock counts. */
export async function zoneOf(db: Db): Promise<string> {
  return (await setting.all(db)).timeZone
}
