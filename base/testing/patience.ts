import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

const aloneMs = 60_000
// A poll gives up long before its test does.
const mostMs = 10 * 60_000

/**
 * How long a test waits for a condition before it fails. The time grows with the processes that share a processor, because what a test waits
 * for has only its share of one: a busy machine must not make a true fact fail.
 */
export function patienceMs(load = loadNow(), processors = availableParallelism()): number {
  return Math.min(mostMs, aloneMs * (1 + load / processors))
}

/** The processes that want a processor: the average of a minute, or those of this moment, which Linux alone tells. */
function loadNow(): number {
  const average = loadavg()[0] ?? 0
  if (process.platform !== 'linux') return average
  const [, running = '0'] = / (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8')) ?? []
  return Math.max(average, Number(running))
}
