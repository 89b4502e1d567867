import { storeOf } from '#base/web/store.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** The time, told each minute since the page came alive; null on the server and in the first render, which must be equal. */
export const clock = storeOf<number | null>(null)

const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// Clocks differ: what happened a moment ago must not seem to be still to come.
const mostDrift = 120

/** A time: relative once the page is alive, its date before; exact in the reader's zone on hover. In few signs where it `isShort`. */
export function Time({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const language = useLanguage()
  const words = useWords('site')
  const now = clock.use()
  const date = new Date(at)
  const exact = now === null ? undefined : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  return (
    <time dateTime={at} title={exact}>
      {now === null ? at.slice(0, 10) : (ago(date, now, language, isShort ? 'narrow' : 'long') ?? words('justNow'))}
    </time>
  )
}

/** The day of a time that is to come, and when on it, in the reader's own zone. */
export function useDay(): (at: string) => string {
  const language = useLanguage()
  return (at) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))
}

/** How long ago that was; null where it is less than a minute. */
export function ago(date: Date, now: number, locale: string, style: 'long' | 'narrow' = 'long'): string | null {
  const seconds = (now - date.getTime()) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  if (unit === 'second' || (seconds < 0 && seconds > -mostDrift)) return null
  // What is still to come is as far as it was until that much has passed: seven days are six once a day is over. The page may be a moment behind.
  const slack = seconds < 0 ? Math.min(mostDrift, size / 60) : 0
  const parts = new Intl.RelativeTimeFormat(locale, { style }).formatToParts(Math.ceil((-seconds - slack) / size), unit)
  // Chinese is set with a space beside numbers, which the browser's own wording lacks.
  return parts.map(({ type, value }) => (type === 'literal' && locale === 'zh' ? ` ${value}` : value)).join('')
}
