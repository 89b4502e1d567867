import type { State } from './forum.ts'
import type { Figure } from './wrk.ts'

export type Row = {
  name: string
  figure?: Figure
  state?: State
  note?: number
  /** With a single connection. */
  alone?: Figure
  /** Bare Node with the same statements, or the same bytes and headers. */
  same?: Figure
}

/** Prints one line per row, with its ratio to the bare server of the same run. */
export function print(rows: readonly Row[]): void {
  let bare = 1
  console.log(`${''.padEnd(44)}  per s   ratio  p50 ms  p99 ms  loop p99 ms    MB  alone p50 ms  the same bare, ratio`)
  for (const { name, figure, state, note, alone, same } of rows) {
    if (name.startsWith('bare') && figure) bare = figure.perSecond
    const cells = figure
      ? [
          String(Math.round(figure.perSecond)).padStart(7),
          (figure.perSecond / bare).toFixed(3).padStart(7),
          figure.p50.toFixed(1).padStart(7),
          figure.p99.toFixed(1).padStart(7),
          state ? state.loopDelayMs.toFixed(0).padStart(12) : '',
          state ? state.megabytes.toFixed(0).padStart(5) : '',
          alone ? alone.p50.toFixed(1).padStart(13) : ''.padStart(13),
          same ? `${Math.round(same.perSecond)}  ${(figure.perSecond / same.perSecond).toFixed(2)}`.padStart(14) : '',
          figure.failed ? `${figure.failed} failed` : '',
        ]
      : [String(note ?? '').padStart(7)]
    console.log(name.padEnd(44), ...cells)
  }
}

/** Rate and latencies of so many runs, from their durations in milliseconds. */
export function figureOf(took: readonly number[], seconds: number, failed = 0): Figure {
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99), failed }
}
