import { useLocale } from 'use-intl/react'
import { storeOf } from '#base/web/store.ts'

/** Minutes since the page came alive; null on the server and in the first render, which must be equal. */
export const clock = storeOf<number | null>(null)

const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A time: relative once the page is alive, its date before; exact in the reader's zone on hover. */
export function Time({ at }: { at: string }) {
  const locale = useLocale()
  const now = clock.use()
  const date = new Date(at)
  const exact = now === null ? undefined : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  return (
    <time dateTime={at} title={exact}>
      {now === null ? at.slice(0, 10) : ago(date, now, locale)}
    </time>
  )
}

export function ago(date: Date, now: number, locale: string): string {
  const seconds = (now - date.getTime()) / 1000
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return words.format(-Math.trunc(seconds / size), unit)
  }
  return words.format(0, 'second')
}
