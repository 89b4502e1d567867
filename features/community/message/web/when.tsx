import { clock } from '#base/web/time.tsx'
import { useLanguage } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { dayOf } from '#message/web/by-day.ts'

const dayMs = 86_400_000

/** A short time: the hour today, the day before. */
export function When({ at }: { at: string }) {
  const language = useLanguage()
  const isToday = dayOf(at) === dayOf(new Date(useNow()).toISOString())
  return <Moment at={at} says={isToday ? hourOf(at, language) : shortDay(at, language)} />
}

export function Hour({ at }: { at: string }) {
  return <Moment at={at} says={hourOf(at, useLanguage())} />
}

export function Day({ at }: { at: string }) {
  return <Moment at={at} says={useDay()(at)} />
}

export function useDay(): (at: string) => string {
  const language = useLanguage()
  const now = useNow()
  return (at) => dayFrom(at, now, language)
}

function dayFrom(at: string, now: number, language: string): string {
  const ago = [0, 1].find((days) => dayOf(at) === dayOf(new Date(now - days * dayMs).toISOString()))
  return ago === undefined
    ? new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', weekday: 'short', ...yearOf(at, now) }).format(new Date(at))
    : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-ago, 'day')
}

function Moment({ at, says }: { at: string; says: string }) {
  const language = useLanguage()
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
  return (
    <time dateTime={at} title={exact}>
      {says}
    </time>
  )
}

function useNow(): number {
  return clock.use() ?? siteTime()
}

function hourOf(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))
}

function shortDay(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'numeric', day: 'numeric', ...yearOf(at, siteTime()) }).format(new Date(at))
}

function yearOf(at: string, now: number): { year?: 'numeric' } {
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }
}
