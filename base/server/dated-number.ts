import { randomDigits } from '#base/random-digits.ts'
import { dayAt } from '#base/server/calendar.ts'

/**
 * An order number of twenty digits that can be read out: the day in the site's time zone, and random digits that do not reveal how many
 * orders there are.
 */
export function datedNumber(moment: Date, zone: string): string {
  return `${dayAt(moment, zone).replaceAll('-', '')}${randomDigits(12)}`
}
