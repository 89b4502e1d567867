import { AsyncLocalStorage } from 'node:async_hooks'

/** Clients give up after 20 seconds. The rest is for the work itself, and for the way back. */
export const longestWaitMs = 15_000

const deadlines = new AsyncLocalStorage<number>()

/** Waited until the deadline for a connection or a turn. The work was not begun, so it may be sent again. */
export class TooBusy extends Error {
  override name = 'TooBusy'
}

/** Answers a call. All its waits together end at one deadline. */
export function withCallDeadline<T>(answer: () => T): T {
  return deadlines.run(performance.now() + longestWaitMs, answer)
}

/**
 * How long to wait for a connection or a turn: until the deadline of the call, or `longestMs`. Work without a call may wait so long each
 * time, and so may work that goes on after the deadline, such as that on a large upload.
 */
export function waitLimitMs(longestMs: number): number {
  const left = (deadlines.getStore() ?? 0) - performance.now()
  return left > 0 ? Math.min(left, longestMs) : longestMs
}
