import { AsyncLocalStorage } from 'node:async_hooks'

/** Clients give up after 20 seconds. The rest is for the work itself, and for the way back. */
export const longestWaitMs = 15_000
const graceMs = 4_000

type CallDeadline = { at: number; hasEffects: boolean }

const deadlines = new AsyncLocalStorage<CallDeadline>()

/**
 * A wait for a connection or a turn ended at the deadline, and nothing of the call was done before: it may be sent again by itself. After
 * effects, the call fails with `BusyAfterEffects` instead.
 */
export class TooBusy extends Error {
  override name = 'TooBusy'
}

/** The same after effects that stay, so that only a person may send the call again. */
export class BusyAfterEffects extends Error {
  override name = 'BusyAfterEffects'
}

/** Answers a call, or does work that several calls share. All its waits together end at one deadline. */
export function withCallDeadline<T>(answer: () => T, limitMs = longestWaitMs): T {
  const deadline = { at: performance.now() + limitMs, hasEffects: false }
  const answered = deadlines.run(deadline, answer)
  if (!(answered instanceof Promise)) {
    deadline.at = Infinity
    return answered
  }
  return (
    answered
      .catch((error: unknown) => {
        throw deadline.hasEffects && error instanceof TooBusy ? new BusyAfterEffects(error.message, { cause: error }) : error
      })
      // Work that the call has started for later has no deadline.
      .finally(() => (deadline.at = Infinity)) as T
  )
}

/** The call at hand goes on for longer, such as an upload or a stream: each of its waits has its own limit. */
export function liftCallDeadline(): void {
  const deadline = deadlines.getStore()
  if (deadline) deadline.at = Infinity
}

/** The call at hand begins work whose effects stay. To finish it, each later wait may take some seconds even after the deadline. */
export function beginEffects(): void {
  const deadline = deadlines.getStore()
  if (deadline) deadline.hasEffects = true
}

/** How long to wait for a connection or a turn: `longestMs`, or until the deadline of the call. */
export function waitLimitMs(longestMs: number): number {
  const deadline = deadlines.getStore()
  if (!deadline) return longestMs
  return Math.min(longestMs, Math.max(deadline.at - performance.now(), deadline.hasEffects ? graceMs : 0))
}
