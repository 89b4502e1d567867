import { expect, test } from 'vitest'
import { nextRun } from '#base/server/jobs/cron.ts'

const after = new Date('2026-05-01T10:07:30Z')
const next = (cron: string) => nextRun(cron, after)?.toISOString().slice(0, 16) ?? null

test('the next run is the first minute after now that fits', () => {
  expect(['* * * * *', '*/10 * * * *', '7 * * * *', '17 3 * * *', '30 10 * * *'].map(next)).toEqual([
    '2026-05-01T10:08',
    '2026-05-01T10:10',
    '2026-05-01T11:07',
    '2026-05-02T03:17',
    '2026-05-01T10:30',
  ])
})

test('a cron entry of more than minutes and hours has no next time, rather than a wrong one', () => {
  expect(['0 3 * * 1', '0 3 1 * *', '1-5 * * * *', 'daily'].map(next)).toEqual([null, null, null, null])
})
