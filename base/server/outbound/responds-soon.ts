import { setTimeout as pause } from 'node:timers/promises'

const timeoutMs = 3_000

/** Whether an external service answers within a few seconds, for status pages. */
export function respondsSoon(request: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    request.then(
      () => true,
      () => false,
    ),
    pause(timeoutMs, false, { ref: false }),
  ])
}
