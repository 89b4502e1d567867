import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 3_000

/** Whether an external service answers within a few seconds, for status pages. */
export function respondsSoon(asked: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    asked.then(
      () => true,
      () => false,
    ),
    pause(patienceMs, false, { ref: false }),
  ])
}
