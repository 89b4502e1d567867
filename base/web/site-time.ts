import { clock } from '#base/web/time.tsx'

let clockOffset: { site: number; here: number } | null = null

/** The server's clock, estimated from its responses: the clock of this machine may be wrong by hours. */
export function siteTime(): number {
  return clockOffset === null ? Date.now() : clockOffset.site + performance.now() - clockOffset.here
}

const second = 1000

/** Updates the estimate from a response's Date header. A cached response has an earlier time, so the latest one counts. */
export function updateSiteTime(date: string | null): void {
  const site = Date.parse(date ?? '')
  if (Number.isNaN(site) || (clockOffset !== null && site <= siteTime() + second)) return
  clockOffset = { site, here: performance.now() }
  const shown = clock.get()
  // Each time on the page is rendered again.
  if (shown !== null && Math.abs(siteTime() - shown) > second) clock.set(siteTime())
}
