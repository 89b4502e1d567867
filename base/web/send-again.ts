import { randomDigits } from '#base/random-digits.ts'
import type { SendOptions } from '#base/web/api.ts'
import type { HttpResponse } from '#base/web/send.ts'

const maxTries = 3
// Whether to wait longer is for the person to decide.
const longestWaitSeconds = 2

/** Sends a call, and again after a moment while a busy server has not begun it. Only a read, or a write that takes effect once. */
export async function sendUntilBegun({ method, options }: SendOptions, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const isRepeatable = !options.sendsOnce && (method === 'GET' || options.idempotencyKey !== undefined)
  for (let tries = 1; ; tries++) {
    const answer = await send()
    const seconds = secondsUntilBegun(answer)
    if (!isRepeatable || tries === maxTries || seconds === null) return answer
    // Many were told so at once, and would come again at once.
    await new Promise((again) => setTimeout(again, tries * seconds * 1_000 + Number(randomDigits(3))))
  }
}

/** The wait before a call may be sent again by itself, as a busy server has not begun it; null if it may not. */
export function secondsUntilBegun({ status, retryAfter }: Pick<HttpResponse, 'status' | 'retryAfter'>): number | null {
  const seconds = status === 503 ? Number(retryAfter ?? Number.NaN) : Number.NaN
  return seconds <= longestWaitSeconds ? seconds : null
}
