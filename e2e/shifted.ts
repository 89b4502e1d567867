/** How much of the page has moved by itself; it is evaluated in the page. */
export function shifted(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
      resolve(entries.filter((entry) => !entry.hadRecentInput).reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    // What was noted before comes in the next turn.
    requestAnimationFrame(() => setTimeout(() => resolve(0)))
  })
}
