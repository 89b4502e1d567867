import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Program } from '#apps/server/frontend.ts'
import type { LookPicture } from '#base/look.ts'
import { cookie } from '#base/server/security/csrf.ts'
import { ownOrigin } from '#base/server/http/origin.ts'
import { spokenLanguage, type LanguageCode } from '#base/language.ts'
import type { Language } from '#base/server/words.ts'

export type Address = Program['addresses'][number]
export type Site = {
  title: string
  mainColour: string
  icon: LookPicture | null
  description: string
  keywords: string
  defaultLanguage: LanguageCode | ''
  languages: readonly LanguageCode[]
  supportAccessDevice: number
} & Closing
/** Whether the site is shown to anybody, and what is said where it is not. */
type Closing = { siteState: 'open' | 'readOnly' | 'closed'; closedTextZh: string; closedTextEn: string }
/** For each its own; the desktop's for a phone; the phone's for a desktop; or none, for a desktop. */
type Layout = 'responsive' | 'wide' | 'phone' | 'closed'

/** All that makes one page another than the next; nothing else of a request does. */
export type PageKey = {
  path: string
  asked: string
  language: Language
  layout: Layout
  /** Before addresses that must be whole; empty where the site does not know its own. */
  origin: string
}

type Asking = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>

export function whichPage({ path, parameters }: Address, asking: Asking, site: Site & { publicUrl: string | null }): PageKey {
  const { url = '', headers } = asking
  const language = languageFor(headers, site)
  const layout = layoutFor(headers, site.supportAccessDevice)
  return { path, asked: askedOf(url, parameters), language, layout, origin: ownOrigin(site.publicUrl, asking) ?? '' }
}

/** Where a page lies on this site. */
export function pathOf({ path, asked }: PageKey): string {
  return asked ? `${path}?${asked}` : path
}

export function keyOf({ path, asked, language, layout, origin }: PageKey): string {
  return `page ${path}?${asked} ${language} ${layout} ${origin}`
}

/** Only the parameters that make another page, in one order, so that no other can fill the cache. */
function askedOf(url: string, parameters: readonly string[]): string {
  const at = url.indexOf('?')
  if (at < 0 || parameters.length === 0) return ''
  const query = new URLSearchParams(url.slice(at + 1))
  return String(new URLSearchParams(parameters.flatMap((name) => (query.has(name) ? [[name, query.get(name)?.slice(0, 64) ?? '']] : []))))
}

// What the person chose, or what the site prefers, or where it prefers none what the browser asks for, among what it offers.
function languageFor(headers: IncomingHttpHeaders, site: Site): Language {
  return spokenLanguage(cookie(headers.cookie, 'language') ?? null, headers['accept-language'] ?? null, site)
}

const phone = /Mobi|Android|iPhone|iPad|HarmonyOS/i

function layoutFor(headers: IncomingHttpHeaders, supportAccessDevice: number): Layout {
  if (supportAccessDevice === 1) return 'responsive'
  const isPhone = phone.test(headers['user-agent'] ?? '')
  if (supportAccessDevice === 2) return isPhone ? 'wide' : 'responsive'
  if (isPhone) return 'responsive'
  return cookie(headers.cookie, 'accessModule') === 'mobile' ? 'phone' : 'closed'
}
