import { clock } from '#base/web/time.tsx'

let known: { site: number; here: number } | null = null

/** The time by the clock of the site, as far as its answers told it: the one of this machine may be wrong by hours. */
export function siteTime(): number {
  return known === null ? Date.now() : known.site + performance.now() - known.here
}

const second = 1000

/** Hears from an answer what time it is there. One that was kept somewhere says an earlier time, so the latest counts. */
export function hearSiteTime(date: string | null): void {
  const site = Date.parse(date ?? '')
  if (Number.isNaN(site) || (known !== null && site <= siteTime() + second)) return
  known = { site, here: performance.now() }
  if (clock.get() !== null) clock.set(siteTime())
}
