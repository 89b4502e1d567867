import { expect, test } from 'vitest'
import { updateSiteTime, siteTime } from '#base/web/site-time.ts'
import { relativeTime, clock } from '#base/web/time.tsx'

const hour = 3_600_000

test('a relative time uses the clock of the site, and not that of the machine', () => {
  const there = Date.now() + 5 * hour
  clock.set(Date.now())
  updateSiteTime(new Date(there).toUTCString())
  expect(relativeTime(new Date(there - 3 * hour - 60_000), clock.get() ?? 0, 'en')).toBe('3 hours ago')
  // A cached response.
  updateSiteTime(new Date(there - 2 * hour).toUTCString())
  updateSiteTime(null)
  updateSiteTime('yesterday')
  expect(relativeTime(new Date(there - 3 * hour - 60_000), siteTime(), 'en')).toBe('3 hours ago')
})
