import { expect, test } from 'vitest'
import { mergeMetrics, totalsOf } from '#apps/server/merge-metrics.ts'

const of = (answers: number, lag: number) => `# HELP answers_seconds Response time.
# TYPE answers_seconds histogram
answers_seconds_bucket{route="/a b",le="1"} ${answers}
answers_seconds_count{route="/a b"} ${answers}

# HELP lag_seconds Delay of the event loop.
# TYPE lag_seconds gauge
lag_seconds ${lag}

# HELP pool Connections.
# TYPE pool gauge
pool{state="idle"} NaN
`

test('counters and histograms of several processes are summed, and gauges are told apart by process', () => {
  expect(mergeMetrics(new Map([1, 2].map((number) => [number, of(number, number / 2)])))).toBe(`# HELP answers_seconds Response time.
# TYPE answers_seconds histogram
answers_seconds_bucket{route="/a b",le="1"} 3
answers_seconds_count{route="/a b"} 3

# HELP lag_seconds Delay of the event loop.
# TYPE lag_seconds gauge
lag_seconds{process="1"} 0.5
lag_seconds{process="2"} 1

# HELP pool Connections.
# TYPE pool gauge
pool{process="1",state="idle"} NaN
pool{process="2",state="idle"} NaN
`)
})

test('what ended processes have counted stays in the sums, and their gauges are gone', () => {
  const ended = totalsOf(totalsOf('', of(5, 1)), of(6, 1))
  expect(ended).not.toContain('lag_seconds')
  const text = mergeMetrics(new Map([[2, of(1, 9)]]), ended)
  expect(text).toContain('answers_seconds_count{route="/a b"} 12')
  expect(text.match(/^lag_seconds.*$/gm)).toEqual(['lag_seconds{process="2"} 9'])
})
