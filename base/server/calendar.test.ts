import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAt, addDays, minuteAt, startOfDay } from '#base/server/calendar.ts'
import { runs } from '#base/testing/extent.ts'

const hourMs = 3_600_000

test('a day is the one of its zone, and begins at midnight there', () => {
  const moment = new Date('2026-11-22T17:30:00Z')
  expect(dayAt(moment, 'UTC')).toBe('2026-11-22')
  expect(dayAt(moment, 'Asia/Shanghai')).toBe('2026-11-23')
  expect(minuteAt(moment, 'Asia/Kolkata')).toBe('2026-11-22 23:00')
  expect(startOfDay('2026-11-23', 'Asia/Shanghai')).toEqual(new Date('2026-11-22T16:00:00Z'))
  expect(startOfDay('2026-11-23', 'Asia/Shanghai', 3)).toEqual(new Date('2026-11-22T19:00:00Z'))
  expect(addDays('2026-02-27', 2)).toBe('2026-03-01')
})

test('a day begins at its first time, if the clock skips midnight or has it twice', () => {
  // Cairo skips the hour after midnight; Havana has it twice.
  expect(startOfDay('2026-04-24', 'Africa/Cairo')).toEqual(new Date('2026-04-23T22:00:00Z'))
  expect(startOfDay('2026-11-01', 'America/Havana')).toEqual(new Date('2026-11-01T04:00:00Z'))
  expect(startOfDay('2026-03-29', 'Europe/Berlin', 2)).toEqual(new Date('2026-03-29T01:00:00Z'))
})

test('each moment is in its day, between its beginning and that of the next', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const years = { min: new Date('1990-01-01T00:00:00Z'), max: new Date('2037-12-31T00:00:00Z'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(years), fc.constantFrom(...zones), (moment, zone) => {
      const day = dayAt(moment, zone)
      const [start, end] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)]
      expect(start.getTime()).toBeLessThanOrEqual(moment.getTime())
      expect(end.getTime()).toBeGreaterThan(moment.getTime())
      expect([dayAt(start, zone), dayAt(start.getTime() - 1, zone) < day]).toEqual([day, true])
      expect((end.getTime() - start.getTime()) / hourMs).toBeLessThanOrEqual(26)
    }),
    { numRuns: runs(400) },
  )
})
