import { useDeferredValue } from 'react'
import { formatters } from '#base/web/formatters.ts'
import { createStore } from '#base/web/store.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** The current time, updated each minute after hydration; null on the server and in the first render, which must be equal. */
export const clock = createStore<number | null>(null)

const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// Clocks differ: a recent time must not appear to be in the future.
const maxDrift = 120

/** A time: relative after hydration, its date before; exact in the reader's zone on hover. Abbreviated if `isShort`. */
export function Time({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const language = useLanguage()
  const words = useWords('site')
  // A page has a hundred times, which must not hold it up.
  const now = useDeferredValue(clock.use())
  const date = new Date(at)
  const exact = now === null ? undefined : formatters.getDateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  return (
    <time dateTime={at} title={exact}>
      {now === null ? at.slice(0, 10) : (relativeTime(date, now, language, isShort ? 'narrow' : 'long') ?? words('justNow'))}
    </time>
  )
}

/** The day and time of a future event, in the reader's zone. */
export function useDay(): (at: string) => string {
  const language = useLanguage()
  return (at) => formatters.getDateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))
}

/** The time since then; null for less than a minute. */
export function relativeTime(date: Date, now: number, locale: string, style: 'long' | 'narrow' = 'long'): string | null {
  const seconds = (now - date.getTime()) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  if (unit === 'second' || (seconds < 0 && seconds > -maxDrift)) return null
  // A future time is rounded up: seven days stay seven until one day has passed. The page's clock may lag by a moment.
  const slack = seconds < 0 ? Math.min(maxDrift, size / 60) : 0
  const parts = formatters.getRelativeTimeFormat(locale, { style }).formatToParts(Math.ceil((-seconds - slack) / size), unit)
  // Chinese typography has a space beside numbers, which Intl omits.
  return parts.map(({ type, value }) => (type === 'literal' && locale === 'zh' ? ` ${value}` : value)).join('')
}
