import { formatters } from '#base/web/formatters.ts'
import { createStore } from '#base/web/store.ts'
import css from '#base/admin/list.module.css'

/** The site's time zone, which its days use; set by the app. */
export const siteZone = createStore('UTC')

/** A time to the second, in the site's time zone. */
export function ExactTime({ at }: { at: string }) {
  const zone = siteZone.use()
  return (
    <time dateTime={at} className={css.number}>
      {siteTimeText(at, zone)}
    </time>
  )
}

/** The same in every language: 2026-11-27 09:30:00. */
function siteTimeText(at: string, timeZone: string): string {
  return formatters.getDateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(new Date(at))
}

/** The format for files, with the offset from UTC. */
export function fileTimeText(at: string): string {
  const timeZone = siteZone.get()
  const parts = formatters.getDateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(new Date(at))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return siteTimeText(at, timeZone) + (name.slice(3) || '+00:00')
}
