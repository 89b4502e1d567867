import { availableParallelism, loadavg } from 'node:os'

const aloneMs = 2 * 60_000
// A poll gives up long before its test does.
const mostMs = 45 * 60_000

/**
 * How long a test waits for a condition before it fails. The time grows with the processes that share a processor, because what a test waits
 * for has only its share of one: a busy machine must not make a true fact fail.
 */
export function patienceMs(load = loadavg()[0] ?? 0, processors = availableParallelism()): number {
  return Math.min(mostMs, aloneMs * (1 + load / processors))
}
