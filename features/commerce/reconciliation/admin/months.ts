const mostMonths = 60

/** The current month in a time zone, as 2026-11. */
export function monthNow(timeZone: string | undefined, now = new Date()): string {
  return new Intl.DateTimeFormat('sv', { year: 'numeric', month: '2-digit', timeZone }).format(now)
}

/** The months of the last years, newest first, plus the selected one if it is older. */
export function monthsUntil(timeZone: string, selected: string): string[] {
  const [year = 0, month = 0] = monthNow(timeZone).split('-').map(Number)
  const months = Array.from({ length: mostMonths }, (_, back) => new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7))
  return months.includes(selected) ? months : [...months, selected].toSorted().toReversed()
}

/** The last day of a month: 2026-11-30. */
export function lastDayOf(month: string): string {
  const [year = 0, its = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, its, 0)).toISOString().slice(0, 10)
}
