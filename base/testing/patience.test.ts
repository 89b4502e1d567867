import { chai, expect, test } from 'vitest'
import { patienceMs } from '#base/testing/patience.ts'

const minute = 60_000

test.each([
  ['an idle machine', 0, 2, 1],
  ['two processors with two processes', 2, 2, 2],
  ['two processors with twelve processes', 12, 2, 7],
  ['eight processors with two processes', 2, 8, 1.25],
])('a test on %s has the patience of its share', (_, load, processors, minutes) => {
  expect(patienceMs(load, processors)).toBe(minutes * minute)
})

test('the patience of a test ends before the limit of the test, however busy the machine', () => {
  expect(patienceMs(1_000, 1)).toBe(10 * minute)
})

test('a poll has the patience of the load at its beginning', async () => {
  let limit: unknown
  function read(this: object) {
    limit = chai.util.flag(this, '_poll.timeout')
    return 'tea'
  }
  await expect.poll(read).toBe('tea')
  expect(limit).toBeGreaterThanOrEqual(patienceMs(0))
})
