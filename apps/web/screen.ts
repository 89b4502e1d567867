import type { LoaderFunctionArgs } from 'react-router'
import type { Api } from '#base/contract.ts'
import { loaderContext } from '#apps/web/loader-context.ts'

export type Language = 'zh' | 'en'

/** What a page says of itself to tabs, search engines and those who share it. */
export type Head = {
  title?: string
  description?: string
  /** The site's own. */
  keywords?: string
  /** The one address of what is shown, path and query. */
  canonical?: string
  picture?: { src: string; width: number; height: number }
  kind?: 'website' | 'article' | 'profile'
  /** The path of a feed of what is shown. */
  feed?: string
  /** Others, by what they have. */
  feeds?: readonly { title: string; path: string }[]
  isPrivate?: boolean
}

export type Say = (code: string, values?: Record<string, string | number>) => string

export type Question = {
  api: Api
  url: URL
  isMember: boolean
  /** Of the page. */
  language: Language
  /** It was not there for visitors, and a member asks again. */
  isMissing: boolean
}

/** One address, what it loads, and what its head says. Its component is a file of its own, loaded when visited. */
export type Screen = {
  path: string
  file: string
  load?: (question: Question) => Promise<unknown>
  head?: (data: never, language: Language, say: Say) => Head
  /** Rendered on the server for everyone; the parameters that make another page of it. */
  isPublic?: boolean
  /** The parameter without which it is a member's own, and not public. */
  publicWith?: string
  parameters?: readonly string[]
  /** Made anew for everyone who asks, within limits, and kept nowhere. */
  isFleeting?: boolean
  /** Few visitors come for it, so that it may bring more than reading needs. */
  isRare?: boolean
  /** What stands around it. */
  within?: Screen
}

/** What a screen is made of: itself, and what stands around it. */
export function partsOf(screen: Screen): readonly Screen[] {
  return screen.within ? [screen.within, screen] : [screen]
}

/** What visitors come for, which brings no more than reading needs. */
export function isForReading({ isPublic, publicWith, isFleeting, isRare }: Screen): boolean {
  return Boolean(isPublic) && !publicWith && !isFleeting && !isRare
}

export function questionOf({ request, context }: LoaderFunctionArgs): Question {
  const loader = context.get(loaderContext)
  return {
    api: loader.api,
    url: new URL(request.url),
    isMember: loader.isMember(),
    language: loader.language(),
    isMissing: loader.isMissing(),
  }
}

const mostPages = 1_000_000

/** The page that an address asks for, the first where it asks for none. */
export function pageIn(query: URLSearchParams): number {
  return Math.min(mostPages, Math.max(1, numberIn(query, 'page')))
}

/** A number in an address, in plain digits; nought where there is none. */
export function numberIn(query: URLSearchParams, name: string): number {
  const written = query.get(name) ?? ''
  return /^\d{1,10}$/.test(written) ? Number(written) : 0
}

/** The language that an address narrows a list to. */
export function languageIn(query: URLSearchParams): { language?: Language } {
  const language = query.get('language')
  return language === 'zh' || language === 'en' ? { language } : {}
}

/** The id of what an address is about. One that can be nobody's is missing, like one that is. */
export function idIn(query: URLSearchParams, name: string): string | undefined {
  const id = query.get(name)
  if (id === null) return undefined
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new Response('base.missing', { status: 404 })
  return id
}

/** Whose pages an address asks for; nobody's where they are one's own. */
export function whose(url: URL): { userId?: string } {
  const userId = idIn(url.searchParams, 'userId')
  return userId ? { userId } : {}
}
