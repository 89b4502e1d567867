import type { Check } from '#apps/server/doctor/check.ts'
import { maxClockSkewSeconds } from '#apps/server/preflight.ts'
import { bad, ok, reasonOf, warn, type Finding } from '#apps/server/doctor/finding.ts'
import { securityHeaders } from '#base/server/http/headers.ts'
import { isLoopbackName } from '#base/server/http/site-address.ts'
import { handshakeWith, requestAsVisitor, type Handshake } from '#base/server/outbound/as-visitor.ts'

const dayMs = 86_400_000
const minCertificateDays = 14

/** The end of the certificate, and the version of HTTP. Whether it is trusted shows in whether the forum answers at all. */
export const encryption: Check<'site'> = {
  needs: ['site'],
  async run({ site, ca }, signal) {
    if (site.protocol !== 'https:') return isLoopbackName(site.hostname) ? ok('siteOfMachine') : bad('siteUnencrypted', { site: site.href })
    const { protocol, ...certificate } = await handshakeWith(site, { signal, ca })
    return [certificateEnd(certificate, Date.now()), protocol === 'h2' ? ok('http2') : warn('http1')]
  },
}

type Certificate = Pick<Handshake, 'beginsAt' | 'endsAt'>

export function certificateEnd({ beginsAt, endsAt }: Certificate, now: number): Finding {
  const left = endsAt.getTime() - now
  const days = Math.floor(left / dayMs)
  if (left < 0) return bad('certificateEnded', { days: -days - 1 })
  // Certificates of some days are renewed when two thirds of them are over.
  const noticeMs = Math.min(minCertificateDays * dayMs, (endsAt.getTime() - beginsAt.getTime()) / 4)
  return left < noticeMs ? warn('certificateEnding', { days }) : ok('certificateLasts', { days })
}

/** Whether somebody who types the address without https gets there. */
export const redirect: Check<'site'> = {
  needs: ['site'],
  run({ site }, signal) {
    // At another port than the usual ones, no browser asks without encryption.
    if (site.protocol !== 'https:' || site.port !== '') return []
    return redirectOf(new URL(`http://${site.host}/`), signal)
  },
}

export async function redirectOf(plain: URL, signal: AbortSignal): Promise<Finding> {
  try {
    const { status, headers } = await requestAsVisitor(plain, { signal })
    const isRedirect = status >= 300 && status < 400 && headers.location?.startsWith('https://')
    return isRedirect ? ok('redirects') : bad('plainHttp', { status })
  } catch (error) {
    return warn('noPlainHttp', { reason: reasonOf(error) })
  }
}

/** The first page, as it reaches browsers: compressed, with its security headers, from a clock that is right. */
export const firstPage: Check<'site'> = {
  needs: ['site'],
  async run({ site, ca, config: { development, store } }, signal) {
    const { headers } = await requestAsVisitor(new URL('/index', site), { signal, ca, headers: { 'accept-encoding': 'br, gzip' } })
    const expected = securityHeaders({ https: site.protocol === 'https:', isDevelopment: development, store })
    const missing = Object.keys(expected).filter((name) => headers[name] === undefined)
    const seconds = headers.date === undefined ? 0 : Math.round(Math.abs(Date.parse(headers.date) - Date.now()) / 1000)
    return [
      headers['content-encoding'] ? ok('compressed') : warn('uncompressed'),
      missing.length === 0 ? ok('securityHeaders') : bad('headersMissing', { names: missing.join(', ') }),
      seconds <= maxClockSkewSeconds ? ok('clockOfSite') : warn('clockOfSiteWrong', { seconds }),
    ]
  },
}

export const openMetrics: Check<'site'> = {
  needs: ['site'],
  async run({ site, ca }, signal) {
    const { status, text } = await requestAsVisitor(new URL('/metrics', site), { signal, ca })
    return status === 200 && text.includes('# HELP') ? bad('metricsOpen') : ok('metricsClosed')
  },
}
