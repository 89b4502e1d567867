import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a machine without an answer at the deadline is late, and its connection is closed', async () => {
  let signal: AbortSignal | null = null
  const late = withDeadline(5_000, (end) => {
    signal = end
    return new Promise(() => undefined)
  })
  vi.advanceTimersByTime(5_000)
  await expect(late).rejects.toBeInstanceOf(DeadlineExceeded)
  expect(signal).toMatchObject({ aborted: true })
})

test('an answer that arrives while this process is too busy to read it is not late', async () => {
  const answer = Promise.withResolvers<string>()
  const heard = withDeadline(5_000, () => answer.promise)
  // After a long turn of the event loop all timers are due, and only then what has arrived is read.
  vi.runOnlyPendingTimers()
  answer.resolve('here')
  expect(await heard).toBe('here')
})
