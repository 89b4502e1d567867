/** The page's layout shift; evaluated in the page. */
export function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
      resolve(entries.filter((entry) => !entry.hadRecentInput).reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    // Earlier entries are delivered in the next task.
    requestAnimationFrame(() => setTimeout(() => resolve(0)))
  })
}
