import { randomDigits } from '#base/random-digits.ts'
import { dayAt } from '#base/server/calendar.ts'

/** A number of twenty digits for orders, as people read it out: the day in the time zone of the site, and digits that tell nothing of how many there are. */
export function datedNumber(moment: Date, zone: string): string {
  return `${dayAt(moment, zone).replaceAll('-', '')}${randomDigits(12)}`
}
