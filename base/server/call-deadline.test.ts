import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { BusyAfterEffects, TooBusy, beginEffects, liftCallDeadline, waitLimitMs, withCallDeadline } from '#base/server/call-deadline.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** The limit of a wait that begins so long after its call. */
async function limitAfter(ms: number, begin: () => void = () => undefined): Promise<number> {
  return withCallDeadline(async () => {
    begin()
    vi.advanceTimersByTime(ms)
    return waitLimitMs(15_000)
  })
}

test('all waits of a call end at one deadline, after which there are no more', async () => {
  expect([await limitAfter(0), await limitAfter(14_000), await limitAfter(15_001), await limitAfter(25_000)]).toEqual([15_000, 1_000, 0, 0])
})

test('a call with effects waits some seconds more, to finish them', async () => {
  expect([await limitAfter(10_000, beginEffects), await limitAfter(25_000, beginEffects)]).toEqual([5_000, 4_000])
})

test('an upload or a stream has no deadline', async () => {
  expect(await limitAfter(25_000, liftCallDeadline)).toBe(15_000)
})

test('work that a call has started for later has no deadline', async () => {
  const answered = Promise.withResolvers<void>()
  let later: Promise<number> = Promise.resolve(0)
  await withCallDeadline(async () => void (later = answered.promise.then(() => waitLimitMs(15_000))))
  vi.advanceTimersByTime(25_000)
  answered.resolve()
  expect(await later).toBe(15_000)
})

test('the error of a wait that ends after effects is another than without them', async () => {
  const busy = new TooBusy('All connections were in use')
  const fails = (begin: () => void) =>
    withCallDeadline(async () => {
      begin()
      throw busy
    }).catch((error: unknown) => error)
  expect(await fails(() => undefined)).toBe(busy)
  expect(await fails(beginEffects)).toBeInstanceOf(BusyAfterEffects)
})
