import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Program } from '#apps/server/frontend.ts'
import type { BrandPicture } from '#base/branding.ts'
import { cookie } from '#base/server/security/csrf.ts'
import { ownOrigin } from '#base/server/http/origin.ts'
import { answerLanguage, type LanguageCode } from '#base/language.ts'
import type { Language } from '#base/server/words.ts'

export type Address = Program['addresses'][number]
export type SiteInfo = {
  title: string
  mainColour: string
  icon: BrandPicture | null
  description: string
  keywords: string
  defaultLanguage: LanguageCode | ''
  languages: readonly LanguageCode[]
  supportAccessDevice: number
} & SiteClosing
/** Whether the site is open, and its message while it is closed. */
type SiteClosing = { siteState: 'open' | 'readOnly' | 'closed'; closedTextZh: string; closedTextEn: string }
/** Each device its own; the desktop's on phones; the phone's on desktops; or none on desktops. */
type Layout = 'responsive' | 'wide' | 'phone' | 'closed'

/** Everything that distinguishes one page from another; nothing else of a request does. */
export type PageKey = {
  path: string
  query: string
  language: Language
  layout: Layout
  /** The prefix of absolute URLs; empty if the site does not know its own address. */
  origin: string
}

type PageHttpRequest = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>

export function pageKeyFor({ path, parameters }: Address, request: PageHttpRequest, site: SiteInfo, publicUrl: string | null): PageKey {
  const { url = '', headers } = request
  const language = languageFor(headers, site)
  const layout = layoutFor(headers, site.supportAccessDevice)
  return { path, query: queryOf(url, parameters), language, layout, origin: ownOrigin(publicUrl, request) ?? '' }
}

/** The path of a page on this site. */
export function pathOf({ path, query }: PageKey): string {
  return query ? `${path}?${query}` : path
}

export function cacheKeyOf({ path, query, language, layout, origin }: PageKey): string {
  return `page ${path}?${query} ${language} ${layout} ${origin}`
}

// Together they bound the memory of a process to a few megabytes.
const maxRemembered = 2_000
const maxRememberedLength = 1_000

/**
 * Finds the cache keys of requests, and remembers those of the latest, because parsing an address costs more than sending its page. What is
 * compared is all that `pageKeyFor` reads.
 */
export function cacheKeyFinder(publicUrl: string | null): (address: Address, request: PageHttpRequest, site: SiteInfo) => string {
  const known = new Map<string, string>()
  let latest: SiteInfo | null = null

  return (address, request, site) => {
    const { url = '', headers, socket } = request
    if (site !== latest || known.size >= maxRemembered) known.clear()
    latest = site
    const cookies = headers.cookie ? [cookie(headers.cookie, 'language'), cookie(headers.cookie, 'accessModule')].join('\n') : ''
    const device = site.supportAccessDevice === 1 ? '' : headers['user-agent']
    const reached = publicUrl === null ? `${headers.host} ${socket.localAddress} ${socket.localPort}` : ''
    const raw = `${url}\n${headers['accept-language'] ?? ''}\n${cookies}\n${device ?? ''}\n${reached}`
    const remembered = known.get(raw)
    if (remembered !== undefined) return remembered
    const key = cacheKeyOf(pageKeyFor(address, request, site, publicUrl))
    if (raw.length <= maxRememberedLength) known.set(raw, key)
    return key
  }
}

/** Only the parameters that change the page, in one order, so that no others can fill the cache. */
function queryOf(url: string, parameters: readonly string[]): string {
  const at = url.indexOf('?')
  if (at < 0 || parameters.length === 0) return ''
  const query = new URLSearchParams(url.slice(at + 1))
  return String(new URLSearchParams(parameters.flatMap((name) => (query.has(name) ? [[name, query.get(name)?.slice(0, 64) ?? '']] : []))))
}

// The visitor's choice, else the site's default, else the browser's language, among those that the site offers.
function languageFor(headers: IncomingHttpHeaders, site: SiteInfo): Language {
  return answerLanguage(cookie(headers.cookie, 'language') ?? null, headers['accept-language'] ?? null, site)
}

const phone = /Mobi|Android|iPhone|iPad|HarmonyOS/i

function layoutFor(headers: IncomingHttpHeaders, supportAccessDevice: number): Layout {
  if (supportAccessDevice === 1) return 'responsive'
  const isPhone = phone.test(headers['user-agent'] ?? '')
  if (supportAccessDevice === 2) return isPhone ? 'wide' : 'responsive'
  if (isPhone) return 'responsive'
  return cookie(headers.cookie, 'accessModule') === 'mobile' ? 'phone' : 'closed'
}
