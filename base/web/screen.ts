import type { Api } from '#base/contract.ts'

export type Language = 'zh' | 'en'

/** The metadata of a page for tabs, search engines and previews. */
export type Head = {
  title?: string
  description?: string
  /** The site's keywords. */
  keywords?: string
  /** The canonical address, path and query. */
  canonical?: string
  picture?: { src: string; width: number; height: number }
  kind?: 'website' | 'article' | 'profile'
  /** The path of the page's feed. */
  feed?: string
  /** Further feeds, by title. */
  feeds?: readonly { title: string; path: string }[]
  isPrivate?: boolean
}

export type Translate = (code: string, values?: Record<string, string | number>) => string

export type LoaderArgs = {
  api: Api
  url: URL
  isMember: boolean
  /** The language of the page. */
  language: Language
  /** The page was missing for visitors, and a member requests it again. */
  isMissing: boolean
  /** What the page shows a visitor already, by the path of its screen, while it is completed for a member who sees the same. */
  shown: Readonly<Record<string, unknown>> | null
}

/**
 * One address of the members' site with its loader and head. Its component is in a separate file, loaded when visited. A feature exports its
 * own from `web/screens.ts`.
 */
export type Screen = {
  path: string
  /** Its file, from the root: `/features/posts/tag/web/tag-page.tsx`. */
  file: string
  /** Shown inside the layout of the pages about a member. */
  isInMemberArea?: boolean
  load?: (args: LoaderArgs) => Promise<unknown>
  head?: (data: never, language: Language, translate: Translate) => Head
  /** Rendered on the server for everyone; `parameters` distinguish its pages. */
  isPublic?: boolean
  /** Public only with this parameter; without it, a member's own page. */
  publicWith?: string
  parameters?: readonly string[]
  /** Rendered for each request, within rate limits, and never cached. */
  isFleeting?: boolean
  /** Rarely visited, and excluded from the size budget of reading. */
  isRare?: boolean
}

/** A screen for visitors, within the size budget of reading. */
export function isReadingScreen({ isPublic, publicWith, isFleeting, isRare }: Screen): boolean {
  return Boolean(isPublic) && !publicWith && !isFleeting && !isRare
}

const maxPage = 1_000_000

/** The page number of a query; 1 by default. */
export function pageIn(query: URLSearchParams): number {
  return Math.min(maxPage, Math.max(1, numberIn(query, 'page')))
}

/** A number in a query, in plain digits; 0 by default. */
export function numberIn(query: URLSearchParams, name: string): number {
  const written = query.get(name) ?? ''
  return /^\d{1,10}$/.test(written) ? Number(written) : 0
}

/** The language filter of a query. */
export function languageIn(query: URLSearchParams): { language?: Language } {
  const language = query.get('language')
  return language === 'zh' || language === 'en' ? { language } : {}
}

/** The id in a query. An invalid id counts as missing. */
export function idIn(query: URLSearchParams, name: string): string | undefined {
  const id = query.get(name)
  if (id === null) return undefined
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new Response('base.missing', { status: 404 })
  return id
}

/** The member whose pages a query asks for; empty for one's own. */
export function memberIn(url: URL): { userId?: string } {
  const userId = idIn(url.searchParams, 'userId')
  return userId ? { userId } : {}
}
