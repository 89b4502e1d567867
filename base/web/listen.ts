import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { randomDigits } from '#base/random-digits.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'

const hiddenMs = 15_000
const longestWaitMs = 60_000

export type ListenOptions<E extends Endpoint> = {
  input: RawInput<E>
  /** The id of the last update known here. */
  lastId: () => string
  onUpdate: (update: Output<E>) => void
  signal: AbortSignal
}

/** Subscribes to a stream of events while the page is visible, and resumes after a broken connection. */
export async function listen<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  { input, lastId, onUpdate, signal }: ListenOptions<E>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    await untilVisible(signal)
    let retryMs = 0
    const onRetry = (ms: number) => void (retryMs = ms)
    const hidden = abortWhenHidden(signal)
    try {
      await api.subscribe<E>(path, input, { lastId: lastId(), onUpdate, onRetry, signal: hidden.signal })
      failures = 0
    } catch (error) {
      if (signal.aborted || isForbidden(error)) return
      failures++
    } finally {
      hidden.stop()
    }
    if (document.visibilityState === 'visible') await delay(backoffMs(failures, retryMs), signal)
  }
}

/** Exponential backoff with jitter, so that a restarted server is not flooded. */
export function backoffMs(failures: number, minMs = 0): number {
  return Math.max(minMs, Math.min(longestWaitMs, 1_000 * 2 ** failures)) + Number(randomDigits(3)) * 2
}

// A forbidden subscription would be refused again. Too many listeners, or an unavailable server, are temporary.
function isForbidden(error: unknown): boolean {
  return error instanceof CallFailed && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Resolves when the page is visible, or the signal aborts. */
export function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((seen) => {
    const done = new AbortController()
    const check = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      done.abort()
      seen()
    }
    document.addEventListener('visibilitychange', check, { signal: done.signal })
    signal.addEventListener('abort', check, { signal: done.signal })
  })
}

/** Aborts when the page has been hidden for a while or is unloaded, so that an unseen tab holds no connection. */
function abortWhenHidden(signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const hidden = new AbortController()
  const done = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  function check(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(() => hidden.abort(), hiddenMs)
  }
  document.addEventListener('visibilitychange', check, { signal: done.signal })
  addEventListener('pagehide', () => hidden.abort(), { signal: done.signal })
  check()
  function stop(): void {
    clearTimeout(timer)
    done.abort()
  }
  return { signal: AbortSignal.any([signal, hidden.signal]), stop }
}

/** Resolves after a delay, or when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true })
  })
}
