import { expect, test } from 'vitest'
import { histogram } from '#base/server/histogram.ts'

test('a long duration is in the wide buckets only, and every one in the widest', () => {
  const tea = histogram('tea_seconds', 'How long tea took.', ['kind', 'pot'])
  tea.observe(['green', 'a "b"\\\n'], 0.0004)
  tea.observe(['green', 'a "b"\\\n'], 0.3)
  tea.observe(['green', 'a "b"\\\n'], 99)
  tea.observe(['black', 'c'], 1)
  const lines = tea.text().split('\n')
  expect(lines.slice(0, 2)).toEqual(['# HELP tea_seconds How long tea took.', '# TYPE tea_seconds histogram'])
  const labels = 'kind="green",pot="a \\"b\\"\\\\\\n"'
  const counts = lines.filter((line) => line.includes('green')).map((line) => line.replace(labels, '*'))
  expect(counts[0]).toBe('tea_seconds_bucket{*,le="0.0005"} 1')
  expect(counts).toContain('tea_seconds_bucket{*,le="0.25"} 1')
  expect(counts).toContain('tea_seconds_bucket{*,le="0.5"} 2')
  expect(counts.slice(-3)).toEqual(['tea_seconds_bucket{*,le="+Inf"} 3', 'tea_seconds_sum{*} 99.3004', 'tea_seconds_count{*} 3'])
  expect(lines).toContain('tea_seconds_count{kind="black",pot="c"} 1')
})
