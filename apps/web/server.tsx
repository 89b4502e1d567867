import type { ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, isRouteErrorResponse, RouterContextProvider, StaticRouterProvider } from 'react-router'
import type { Api, Output } from '#base/contract.ts'
import { escapeHtml } from '#base/escape.ts'
import { ApiContext } from '#base/web/api.ts'
import { sayIn, Words, type Messages } from '#base/web/words.tsx'
import { portContext } from '#apps/web/port.ts'
import { headOf, routesOf } from '#apps/web/routes.tsx'
import type { Head, Language, Screen } from '#apps/web/screen.ts'
import { screens } from '#apps/web/screens.ts'
import { structuredData, type Around, type StructuredData } from '#apps/web/structured-data.ts'
import type { baseInfo } from '#setting/contract.ts'
import en from 'virtual:words/en'
import zh from 'virtual:words/zh'

export { documentOf } from '#apps/web/document.ts'

const messages: Record<Language, Messages> = { en, zh }

export type Page = { status: number; html: string; state: unknown; head: Head; structured: StructuredData[]; file: string | null }
export type Rendered = Page | { redirect: string }

/** The screens' addresses, for the server to know which paths exist and how they may be kept. */
export const addresses = screens.map(({ path, isPublic = false, publicWith = null, parameters = [], isFleeting = false }) => ({
  path,
  isPublic,
  publicWith,
  parameters,
  isFleeting,
}))

const components = import.meta.glob<{ Page: ComponentType }>(['./screens/*.tsx', '../../features/*/web/*-page.tsx'], { eager: true })
const handler = createStaticHandler(routesOf(({ file }) => ({ Component: pageIn(file) })))

/** Renders one address as a visitor sees it. What may not or cannot be shown is a page too, with its status. */
export async function render(url: string, language: Language, api: Api): Promise<Rendered> {
  const requestContext = new RouterContextProvider(new Map([[portContext, { api, isMember: () => false }]]))
  const context = await handler.query(new Request(url), { requestContext })
  if (context instanceof Response) return { redirect: context.headers.get('location') ?? '/index' }
  const errors = plainErrors(context.errors)
  const router = createStaticRouter(handler.dataRoutes, context)
  const html = renderToString(
    <ApiContext value={{ ...api, upload: refuse }}>
      <Words language={language} messages={messages[language]}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </Words>
    </ApiContext>,
  )
  const screen: Screen | undefined = context.matches.at(-1)?.route.handle
  const head = errors ? { isPrivate: true } : headOf(screen, screen && context.loaderData[screen.path], language, speaker(language))
  const state = { language, loaderData: context.loaderData, errors }
  const structured =
    errors || !screen ? [] : structuredData(screen.path, context.loaderData[screen.path], around(url, language, context.loaderData))
  return { status: context.statusCode, html, head, structured, file: screen?.file ?? null, state }
}

function around(url: string, language: Language, { site }: Record<string, unknown>): Around {
  const { title, description } = site as Output<typeof baseInfo>
  return { origin: new URL(url).origin, title, description, language }
}

/** A page without content: for screens that only members see, filled by the browser, and for devices that are turned away. */
export function shell(language: Language, isClosed: boolean): Page {
  const say = speaker(language)
  const html = `<noscript><main class="note"><p>${escapeHtml(say('site.needsScript'))}</p><a href="/index">${escapeHtml(say('site.toIndex'))}</a></main></noscript>`
  return {
    status: 200,
    html,
    head: { isPrivate: true },
    structured: [],
    file: null,
    state: { language, isClosed, loaderData: null, errors: null },
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('Rendering a page sends no files'))
}

function pageIn(file: string): ComponentType {
  const found = components[file]
  if (!found) throw new Error(`No page in ${file}`)
  return found.Page
}

// Refusals travel as their status; anything else is a bug, told to the log and not to the page.
function plainErrors(errors: Record<string, unknown> | null): Record<string, { status: number; data: unknown }> | null {
  if (!errors) return null
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      if (!isRouteErrorResponse(error)) throw error
      return [id, { status: error.status, data: error.data }]
    }),
  )
}

function speaker(language: Language): (code: string) => string {
  return sayIn({ language, messages: messages[language] })
}
