import { expect, test } from 'vitest'
import { isTimeZone, timeZones } from '#base/time-zone.ts'

test('UTC is among the time zones to choose from, once, and every one of them is taken', () => {
  expect(timeZones().filter((zone) => zone === 'UTC')).toEqual(['UTC'])
  expect(timeZones().filter((zone) => !isTimeZone(zone))).toEqual([])
})
