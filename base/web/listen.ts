import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { randomDigits } from '#base/random-digits.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'

const hiddenMs = 15_000
const longestWaitMs = 60_000

export type ListenOptions<E extends Endpoint> = {
  input: RawInput<E>
  /** The id of the last update known here. */
  known: () => string
  tell: (news: Output<E>) => void
  signal: AbortSignal
}

/** Subscribes to a stream of events while the page is visible, and resumes after a broken connection. */
export async function listen<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  { input, known, tell, signal }: ListenOptions<E>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    await visible(signal)
    const hidden = whenHidden(signal)
    try {
      await api.subscribe<E>(path, input, { lastId: known(), onUpdate: tell, signal: hidden.signal })
      failures = 0
    } catch (error) {
      if (signal.aborted || isRefused(error)) return
      failures++
    } finally {
      hidden.stop()
    }
    if (document.visibilityState === 'visible') await pause(waitAfter(failures), signal)
  }
}

/** Exponential backoff with jitter, so that a restarted server is not flooded. */
export function waitAfter(failures: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** failures) + Number(randomDigits(3)) * 2
}

// A forbidden subscription would be refused again. Too many listeners, or an unavailable server, are temporary.
function isRefused(error: unknown): boolean {
  return error instanceof CallFailed && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Resolves when the page is visible, or the signal aborts. */
export function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((seen) => {
    const over = new AbortController()
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      over.abort()
      seen()
    }
    document.addEventListener('visibilitychange', look, { signal: over.signal })
    signal.addEventListener('abort', look, { signal: over.signal })
  })
}

/** Aborts when the page has been hidden for a while or is unloaded, so that an unseen tab holds no connection. */
function whenHidden(signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const hidden = new AbortController()
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  function look(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(() => hidden.abort(), hiddenMs)
  }
  document.addEventListener('visibilitychange', look, { signal: over.signal })
  addEventListener('pagehide', () => hidden.abort(), { signal: over.signal })
  look()
  function stop(): void {
    clearTimeout(timer)
    over.abort()
  }
  return { signal: AbortSignal.any([signal, hidden.signal]), stop }
}

/** Resolves after a delay, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), over()), { once: true })
  })
}
