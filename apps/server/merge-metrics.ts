/** A metric in Prometheus' text format: its comments, and its series with their values. */
type Metric = { head: string[]; isTotal: boolean; values: Map<string, number> }

/**
 * One text of the metrics of several processes. Counters and histograms are summed, with what ended processes have counted: a sum that fell
 * would be taken for a restart, and all of it counted again. Gauges are told apart by the label `process`.
 */
export function mergeMetrics(running: ReadonlyMap<number, string>, ended = ''): string {
  const all = new Map<string, Metric>()
  for (const [process, text] of running) for (const [name, metric] of parse(text)) add(all, name, metric, process)
  for (const [name, metric] of parse(ended)) if (metric.isTotal) add(all, name, metric, 0)
  return textOf(all)
}

/** What stays of the metrics of ended processes: their counters and histograms. */
export function totalsOf(...texts: readonly string[]): string {
  const all = new Map<string, Metric>()
  for (const text of texts) for (const [name, metric] of parse(text)) if (metric.isTotal) add(all, name, metric, 0)
  return textOf(all)
}

function add(all: Map<string, Metric>, name: string, { head, isTotal, values }: Metric, process: number): void {
  const sum = all.get(name) ?? { head, isTotal, values: new Map<string, number>() }
  all.set(name, sum)
  for (const [series, value] of values) {
    if (isTotal) sum.values.set(series, (sum.values.get(series) ?? 0) + value)
    else sum.values.set(withProcess(series, process), value)
  }
}

function withProcess(series: string, process: number): string {
  const at = series.indexOf('{')
  if (at < 0) return `${series}{process="${process}"}`
  return `${series.slice(0, at)}{process="${process}",${series.slice(at + 1)}`
}

function parse(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>()
  let metric: Metric | null = null
  for (const line of text.split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (word === 'HELP') metrics.set(name, (metric = { head: [line], isTotal: false, values: new Map() }))
    else if (word === 'TYPE' && metric) {
      metric.head.push(line)
      metric.isTotal = rest !== 'gauge'
    } else if (line !== '' && metric) {
      // No value holds a space, but a label may.
      const at = line.lastIndexOf(' ')
      metric.values.set(line.slice(0, at), Number(line.slice(at + 1)))
    }
  }
  return metrics
}

function textOf(metrics: ReadonlyMap<string, Metric>): string {
  return [...metrics.values()]
    .flatMap(({ head, values }) => [...head, ...[...values].map(([series, value]) => `${series} ${value}`), ''])
    .join('\n')
}
