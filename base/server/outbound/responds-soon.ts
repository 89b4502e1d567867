import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 3_000

/** Whether a service outside answers within a few seconds; for pages that tell how everything is. */
export function respondsSoon(asked: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    asked.then(
      () => true,
      () => false,
    ),
    pause(patienceMs, false, { ref: false }),
  ])
}
