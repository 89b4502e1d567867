import type { ComponentType, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  StaticRouterProvider,
  type DataRouteMatch,
  type RouteObject,
} from 'react-router'
import type { Api, Output } from '#base/contract.ts'
import { lazy } from '#base/lazy.ts'
import { withoutQuery } from '#base/query-string.ts'
import { ApiContext } from '#base/web/api.ts'
import { reportMissing, translatorFor, setMissingHandler, WordsProvider, type Messages } from '#base/web/words.tsx'
import { ClosedPage } from '#apps/web/closed-page.tsx'
import { faultIn } from '#apps/web/error-page.tsx'
import { loaderContext, type LoaderContext } from '#apps/web/loader-context.ts'
import { renderWithMemo, type HtmlMemo } from '#apps/web/memoized-parts.tsx'
import { stateBlock, type TextOf } from '#apps/web/page-state.ts'
import { headOf, routesOf } from '#apps/web/routes.tsx'
import { partsOf } from '#apps/web/member-area.ts'
import { isReadingScreen, type Head, type Language, type Translate, type Screen } from '#base/web/screen.ts'
import { screens } from '#apps/web/screens.ts'
import { FallbackPage } from '#apps/web/fallback-page.tsx'
import { structuredData, type SiteContext, type StructuredData } from '#apps/web/structured-data.ts'
import type { baseInfo } from '#setting/contract.ts'
import en from 'virtual:words/en'
import zh from 'virtual:words/zh'

export { documentOf } from '#apps/web/document.ts'

const messages: Record<Language, Messages> = { en, zh }
if (process.env.NODE_ENV === 'production') setMissingHandler(reportMissing)

export type Page = {
  status: number
  html: Buffer
  /** The state of the page for the browser: JSON for a script element. */
  state: string
  head: Head
  structured: StructuredData[]
  /** The source files of its screen. */
  files: readonly string[]
  /** Uses more texts than reading needs. */
  allWords: boolean
}
export type Rendered = Page | { redirect: string; status: number } | { failing: number }

/** The screens' paths and cache rules, for the server. */
export const addresses = screens.map(({ path, isPublic = false, publicWith = null, parameters = [], isFleeting = false }) => ({
  path,
  isPublic,
  publicWith,
  parameters,
  isFleeting,
}))

const components = import.meta.glob<{ Page: ComponentType }>(['/apps/web/screens/*.tsx', '/features/*/*/web/*-page.tsx'], { eager: true })
// One for each path: the router would compare an address with hundreds of routes. Unknown addresses are rare.
const handlerOfAll = lazy(() => handlerOf(screens))
const handlers = new Map(screens.map(({ path }) => [path, lazy(() => handlerOf(screens.filter((screen) => screen.path === path)))]))

function handlerOf(its: readonly Screen[]) {
  return createStaticHandler(routesOf(its, ({ file }) => ({ Component: pageIn(file) })))
}

type RenderRequest = {
  /** Path and query. */
  path: string
  /** The prefix of absolute addresses; empty if the site does not know its own. */
  origin: string
  language: Language
  api: Api
  textOf?: TextOf
  /** HTML of parts of earlier pages. */
  memo: HtmlMemo
  /** Renders the shell without the screen, which is private. */
  isFrame: boolean
}

/**
 * Renders one address for a visitor. A page that is forbidden or fails is rendered too, with its status. A private page is rendered as a
 * shell for the browser to fill. Without the site's own data there is no page.
 */
export async function render({ path, origin, language, api, textOf, memo, isFrame }: RenderRequest): Promise<Rendered> {
  const requestContext = new RouterContextProvider(new Map([[loaderContext, contextOf(api, language)]]))
  const filterMatchesToLoad = isFrame ? ({ route }: DataRouteMatch) => route.id === 'site' : () => true
  const handler = handlers.get(withoutQuery(path)) ?? handlerOfAll
  const context = await handler().query(new Request(`http://teahouse.invalid${path}`), { requestContext, filterMatchesToLoad })
  if (context instanceof Response) return { redirect: context.headers.get('location') ?? '/index', status: context.status }
  const errors = plainErrors(context.errors)
  if (errors?.['site']) return { failing: errors['site'].status }
  const router = createStaticRouter(branchOf(context.matches), context)
  const { loaderData, statusCode: status } = context
  const html = renderWithMemo(memo, { language, site: loaderData['site'] as object, address: path }, () =>
    rendered(
      language,
      <ApiContext value={{ ...api, upload: rejectCall, subscribe: rejectCall, stream: rejectCall }}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </ApiContext>,
    ),
  )
  const screen: Screen | undefined = context.matches.at(-1)?.route.handle
  const data = screen && loaderData[screen.path]
  const fault = faultIn(context.errors)
  const say = translatorOf(language)
  const head = fault ? { isPrivate: true, title: say(`site.${fault}Title`) } : headOf(screen, data, language, say)
  const structured = errors || isFrame || !screen ? [] : structuredData(screen.path, data, around(origin, language, loaderData))
  const allWords = screen !== undefined && !isReadingScreen(screen)
  return {
    status,
    html,
    head,
    structured,
    files: screen ? partsOf(screen).map(({ file }) => file) : [],
    allWords,
    state: stateBlock({ language, loaderData, errors }, textOf),
  }
}

/** The routes of one page. With all routes the router would convert and compare hundreds in each rendering. */
function branchOf(matches: readonly { route: RouteObject }[]): RouteObject[] {
  return matches.reduceRight<RouteObject[]>((children, { route }) => [{ ...route, children } as RouteObject], [])
}

function contextOf(api: Api, language: Language): LoaderContext {
  return { api, isMember: () => false, language: () => language, isMissing: () => false, shown: () => null }
}

function around(origin: string, language: Language, { site }: Record<string, unknown>): SiteContext {
  const { title, description } = site as Output<typeof baseInfo>
  return { origin, title, description, language }
}

/** The page for devices that are not admitted. */
export function closed(language: Language): Page {
  return standalonePage(language, <ClosedPage />, { status: 200, title: translatorOf(language)('site.closedTitle') })
}

type FallbackPage = {
  language: Language
  siteTitle: string
  path: string
  status: number
  /** The reason, if staff gave one. */ text?: string | undefined
}

/** The page for everyone while nothing else can be rendered. */
export function sorry({ language, siteTitle, path, status, text }: FallbackPage): Page {
  const kind = text ? 'closing' : status === 503 ? 'away' : 'broken'
  const title = translatorOf(language)(`site.${kind}Title`)
  return standalonePage(language, <FallbackPage title={siteTitle} kind={kind} path={path} text={text} />, { status, title })
}

/** A page without the site's layout, which needs neither data nor a script. */
function standalonePage(language: Language, page: ReactNode, { status, title }: { status: number; title: string }): Page {
  const state = stateBlock({ language, loaderData: null, errors: null })
  return {
    status,
    html: Buffer.from(rendered(language, page)),
    head: { title, isPrivate: true },
    structured: [],
    files: [],
    allWords: true,
    state,
  }
}

function rendered(language: Language, page: ReactNode): string {
  return renderToString(
    <WordsProvider language={language} messages={messages[language]}>
      {page}
    </WordsProvider>,
  )
}

function rejectCall(): Promise<never> {
  return Promise.reject(new Error('Rendering a page sends no files'))
}

function pageIn(file: string): ComponentType {
  const found = components[file]
  if (!found) throw new Error(`No page in ${file}`)
  return found.Page
}

// Expected errors are passed as their status; anything else is a bug, which goes to the log and not into the page.
function plainErrors(errors: Record<string, unknown> | null): Record<string, { status: number; data: unknown }> | null {
  if (!errors) return null
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      if (!isRouteErrorResponse(error)) throw error
      return [id, { status: error.status, data: error.data }]
    }),
  )
}

function translatorOf(language: Language): Translate {
  return translatorFor({ language, messages: messages[language] })
}
