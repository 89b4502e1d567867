const minuteMs = 60_000
const maxMinutes = 2 * 24 * 60

/** The next run of a cron expression, in UTC. Supports minutes and hours, which is all that our jobs use; null for others. */
export function nextRun(cron: string, after: Date): Date | null {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/)
  const [minutes, hours] = [parsePart(minute), parsePart(hour)]
  if (!minutes || !hours || rest.some((part) => part !== '*')) return null
  const first = Math.floor(after.getTime() / minuteMs) + 1
  for (let at = first; at < first + maxMinutes; at++) {
    const date = new Date(at * minuteMs)
    if (minutes(date.getUTCMinutes()) && hours(date.getUTCHours())) return date
  }
  return null
}

function parsePart(text: string): ((value: number) => boolean) | null {
  if (text === '*') return () => true
  const [, step] = /^\*\/([1-9]\d?)$/.exec(text) ?? []
  if (step) return (value) => value % Number(step) === 0
  return /^\d{1,2}$/.test(text) ? (value) => value === Number(text) : null
}
