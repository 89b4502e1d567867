import { createContext, startTransition, useContext, useEffect, useState, type ReactNode } from 'react'
import { formatters } from '#base/web/formatters.ts'
import { createStore } from '#base/web/store.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** The current time, updated each minute after hydration; null on the server and in the first render, which must be equal. */
export const clock = createStore<number | null>(null)

const Now = createContext<number | null>(null)
const Zone = createContext<string | undefined>(undefined)

/** Shows the times inside in this zone instead of the reader's own. */
export function ZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  return <Zone value={zone}>{children}</Zone>
}

/** Passes the clock to the times inside. A page has a hundred, so they follow it in a transition, which does not hold the page up. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const follow = () => startTransition(() => setNow(clock.get()))
    follow()
    return clock.watch(follow)
  }, [])
  return <Now value={now}>{children}</Now>
}

const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// Clocks differ: a recent time must not appear to be in the future.
const maxDrift = 120

/** A time: relative after hydration, its date before; exact in the reader's zone, or the page's, on hover. Abbreviated if `isShort`. */
export function Time({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const language = useLanguage()
  const words = useWords('site')
  const now = useContext(Now)
  const timeZone = useContext(Zone)
  const date = new Date(at)
  const style = { dateStyle: 'medium', timeStyle: 'medium', timeZone } as const
  const exact = now === null ? undefined : formatters.getDateTimeFormat(language, style).format(date)
  return (
    <time dateTime={at} title={exact}>
      {now === null ? at.slice(0, 10) : (relativeTime(date, now, language, isShort ? 'narrow' : 'long') ?? words('justNow'))}
    </time>
  )
}

/** The day and time of a future event, in the reader's zone. */
export function useDay(): (at: string) => string {
  const language = useLanguage()
  const timeZone = useContext(Zone)
  return (at) => formatters.getDateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(at))
}

/** A time to the second with its zone, which a document bears that is read elsewhere and later. */
export function timeWithZone(at: string, language: string, timeZone?: string): string {
  const style = { dateStyle: 'long', timeStyle: 'long', timeZone } as const
  const parts = new Intl.DateTimeFormat(language, style).formatToParts(new Date(at))
  if (language !== 'zh') return parts.map(({ value }) => value).join('')
  // Intl puts the zone between the day and the time.
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${new Intl.DateTimeFormat(language, { ...style, timeStyle: 'medium' }).format(new Date(at))}（${zone}）`
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
