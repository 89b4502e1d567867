import { CallLate, FieldErrors } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'

const maxTries = 8
const longestWaitSeconds = 10

/** Sends a file, and again while the server is busy with others or still at work on this one. By its key all tries are one upload. */
export async function sendPersistently<T>(send: (idempotencyKey: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = newKey()
  for (let tries = 1; ; tries++) {
    try {
      return await send(key)
    } catch (error) {
      const seconds = secondsToWait(error)
      if (seconds === null || tries === maxTries) throw error
      await new Promise((again) => setTimeout(again, seconds * 1_000))
      signal?.throwIfAborted()
    }
  }
}

function secondsToWait(error: unknown): number | null {
  if (error instanceof CallLate) return 0
  if (!(error instanceof FieldErrors) || error.seconds === null || error.seconds > longestWaitSeconds) return null
  return error.seconds
}
