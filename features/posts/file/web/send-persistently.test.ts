import { expect, test } from 'vitest'
import { CallFailed, CallLate, FieldErrors } from '#base/web/call.ts'
import { sendPersistently } from '#file/web/send-persistently.ts'

const busy = new FieldErrors(429, { picture: 'Too many pictures are being uploaded.' }, 0)
const late = new CallLate(0, 'It took too long.')

/** Sends a file that fails in these ways before it arrives. The result is the keys it was sent with, or the failure. */
async function send(...failures: Error[]): Promise<string[] | Error> {
  const keys: string[] = []
  const sending = sendPersistently(async (key) => {
    keys.push(key)
    const failure = failures.shift()
    if (failure) throw failure
    return keys
  })
  return sending.catch((error: Error) => error)
}

test('a file for which the server had no time, or has not had enough, is sent again as the same upload', async () => {
  const keys = await send(busy, late, late, busy)
  expect(keys).toHaveLength(5)
  expect(new Set(keys as string[]).size).toBe(1)
})

test('a file that is refused, that would have to wait long, or that meets no server is not sent again', async () => {
  const refused = new FieldErrors(422, { picture: 'It is damaged.' }, null)
  const tooMany = new FieldErrors(429, { file: 'Wait a minute.' }, 60)
  const offline = new CallFailed(0, 'The site can’t be reached.')
  for (const failure of [refused, tooMany, offline]) expect(await send(failure)).toBe(failure)
})

test('a server that never has time is not asked for ever', async () => {
  expect(await send(...Array.from({ length: 20 }, () => busy))).toBe(busy)
})
