import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { CallFailed, CallLate, FieldErrors } from '#base/web/call.ts'
import { sendPersistently } from '#file/web/send-persistently.ts'

const busy = new FieldErrors(429, { picture: 'Too many pictures are being uploaded.' }, 0)
const overloaded = new CallFailed(503, 'The forum is very busy.', 1)
const late = new CallLate(0, 'It took too long.')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

const now = () => vi.getMockedSystemTime()?.getTime() ?? 0

/** Sends a file that fails in these ways before it arrives. The result is each try, in seconds from the first, or the failure. */
async function send(...failures: Error[]): Promise<{ key: string; at: number }[] | Error> {
  const tries: { key: string; at: number }[] = []
  const begun = now()
  const sending = sendPersistently(async (key) => {
    tries.push({ key, at: Math.floor((now() - begun) / 1_000) })
    const failure = failures.shift()
    if (failure) throw failure
    return tries
  }).catch((error: Error) => error)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  return sending
}

test('a file for which the server had no time, or has not had enough, is sent again as the same upload', async () => {
  const tries = await send(busy, overloaded, late, busy)
  expect(tries).toHaveLength(5)
  expect(new Set((tries as { key: string }[]).map(({ key }) => key)).size).toBe(1)
})

test('a file on which the server may be at work still is sent again after longer each time', async () => {
  const tries = (await send(late, late, late, late)) as { at: number }[]
  const waits = tries.slice(1).map(({ at }, n) => at - (tries[n]?.at ?? 0))
  // Up to a second more, so that files of many do not come at once.
  for (const [n, least] of [2, 5, 10, 10].entries()) expect([least, least + 1]).toContain(waits[n])
})

test('a file that is refused, that would have to wait long, or that meets no server is not sent again', async () => {
  const refused = new FieldErrors(422, { picture: 'It is damaged.' }, null)
  const tooMany = new FieldErrors(429, { file: 'Wait a minute.' }, 60)
  const offline = new CallFailed(0, 'The site can’t be reached.')
  const perhapsDone = new CallFailed(503, 'The forum is very busy.')
  for (const failure of [refused, tooMany, offline, perhapsDone]) expect(await send(failure)).toBe(failure)
})

test('a server that never has time is not asked for ever', async () => {
  expect(await send(...Array.from({ length: 20 }, () => busy))).toBe(busy)
})

test('a file that is given up while it waits is not sent again', async () => {
  const given = new AbortController()
  let tries = 0
  const sending = sendPersistently(() => Promise.reject(tries++ ? new Error('It was sent again') : late), given.signal)
  const ended = sending.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  given.abort(new Error('Given up'))
  expect(await ended).toMatchObject({ message: 'Given up' })
  expect([tries, vi.getTimerCount()]).toEqual([1, 0])
})
