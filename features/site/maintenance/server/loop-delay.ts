import { monitorEventLoopDelay } from 'node:perf_hooks'

const everyMs = 60_000
const resolution = 20
const toMs = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e5) / 10 - resolution)

const watched = monitorEventLoopDelay({ resolution })
let lastMinute: { p99: number; worst: number } | null = null
let isWatching = false

/** Measures the event loop delay of this process, minute by minute. */
export function watchLoop(): void {
  if (isWatching) return
  isWatching = true
  watched.enable()
  setInterval(() => {
    lastMinute = measured()
    watched.reset()
  }, everyMs).unref()
}

/** Of the last whole minute; of the current one during the first. */
export function loopDelay(): { p99: number; worst: number } {
  return lastMinute ?? measured()
}

function measured() {
  return { p99: toMs(watched.percentile(99)), worst: toMs(watched.max) }
}
