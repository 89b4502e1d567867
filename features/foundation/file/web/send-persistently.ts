import { randomDigits } from '#base/random-digits.ts'
import { CallFailed, CallLate } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { delay } from '#base/web/listen.ts'

const maxTries = 8
const longestWaitSeconds = 10
const waitSecondsWhenLate = [2, 5]

/**
 * Sends a file, and again while the server is busy with others or still at work on this one. By its key all tries are one upload. The call
 * itself must send it once, or the tries would multiply.
 */
export async function sendPersistently<T>(send: (idempotencyKey: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = newKey()
  let timesLate = 0
  for (let tries = 1; ; tries++) {
    try {
      return await send(key)
    } catch (error) {
      const seconds = error instanceof CallLate ? (waitSecondsWhenLate[timesLate++] ?? longestWaitSeconds) : secondsToWait(error)
      if (seconds === null || tries === maxTries) throw error
      await delay(seconds * 1_000 + Number(randomDigits(3)), signal)
      signal?.throwIfAborted()
    }
  }
}

function secondsToWait(error: unknown): number | null {
  return error instanceof CallFailed && error.seconds !== null && error.seconds <= longestWaitSeconds ? error.seconds : null
}
