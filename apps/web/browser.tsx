// Imported first, so that components override it.
import '#base/web/style.css'
import '#base/web/prose.css'
import '#base/web/pictures.css'
import '#base/web/direction.css'
import '#base/web/text-size.css'
import '#base/web/scrolled-row.css'
import '#apps/web/rail.css'
import { startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  matchRoutes,
  RouterContextProvider,
  RouterProvider,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
  type RouteObject,
} from 'react-router'
import { ApiContext } from '#base/web/api.ts'
import { browserApi } from '#base/web/call.ts'
import { setRestLoader } from '#base/web/lazy-part.ts'
import { followLinks } from '#base/web/link.tsx'
import { switchLanguage } from '#base/web/switch-language.ts'
import { clock, ClockProvider } from '#base/web/time.tsx'
import { WordsProvider } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { lazyLayout, loadScreen } from '#apps/web/lazy-screens.tsx'
import { currentWords, languageSwitcher, initialLanguage } from '#apps/web/language.ts'
import { loadMissingWords, loadOtherWords, useCurrentWords, wordsIn } from '#apps/web/load-words.ts'
import { callPort } from '#apps/web/call-port.ts'
import { loadForMembers } from '#apps/web/member-parts.ts'
import { trackNavigation } from '#apps/web/navigation.ts'
import { pagesContext, retryRevocations, watchSession } from '#apps/web/session.ts'
import { syncPreferences } from '#apps/web/sync-preferences.ts'
import { knownScreens } from '#apps/web/known-screens.ts'
import { loaderContext } from '#apps/web/loader-context.ts'
import { routesOf } from '#apps/web/routes.tsx'
import type { Language } from '#base/web/screen.ts'
import { retryBrokenPictures } from '#file/web/broken-pictures.ts'
import { loadStored } from '#preferences/web/preferences.ts'
import type { Site } from '#setting/web/setting.tsx'

type State = {
  language: Language
  loaderData: Record<string, unknown> | null
  errors: Record<string, { status: number; data: unknown }> | null
}

const state: State = JSON.parse(document.getElementById('state')?.textContent ?? '{}')

retryBrokenPictures()
void start()

async function start(): Promise<void> {
  currentWords.set({ language: state.language, messages: {} })
  setRestLoader(() => Promise.all([loadOtherWords(), import('#apps/web/form-places.ts')]))
  loadMissingWords()
  const api = browserApi(callPort(() => router))
  const firstRender = Promise.withResolvers<void>()
  const routes = routesOf(
    knownScreens,
    lazyLayout(api, () => router, firstRender.promise),
  )
  const [first] = await Promise.all([wordsIn(state.language), loadFirstScreen(routes)])
  currentWords.set({ language: state.language, messages: first })
  const router = createBrowserRouter(routes, {
    getContext: () => new RouterContextProvider(new Map([[loaderContext, pagesContext(api, () => router)]])),
    ...(state.loaderData && { hydrationData: { loaderData: state.loaderData, errors: errorsOf(state) } }),
  })

  const isFrame = !router.state.initialized

  function App() {
    const [{ language, messages }, setWords] = useCurrentWords({ language: state.language, messages: first })
    switchLanguage.set(languageSwitcher(wordsIn, setWords))
    useEffect(() => firstRender.resolve(), [])
    return (
      <ApiContext value={api}>
        <WordsProvider language={language} messages={messages}>
          <ClockProvider>
            <RouterProvider router={router} />
          </ClockProvider>
        </WordsProvider>
      </ApiContext>
    )
  }

  hydrate(<App />)
  const right = initialLanguage(state.language, null, languagesOf(state))
  loadStored()
  clock.set(siteTime())
  setInterval(() => clock.set(siteTime()), 60_000)
  followLinks(router)
  loadForMembers(api)
  watchSession(api, router, { isFrame })
  trackNavigation(api, router)
  retryRevocations(api)
  // The language switch loads with the first screen.
  await firstRender.promise
  if (right !== state.language) await switchLanguage.get()(right)
  // Only now, because earlier changes come from storage and not from the person.
  syncPreferences(api)
}

// In a transition React hydrates in short pieces, between which the page paints and scrolls. A click hydrates the rest at once.
function hydrate(app: ReactNode): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root')
  startTransition(() => void hydrateRoot(root, app))
}

// The component of the first screen must be loaded before hydration, or its content would appear twice.
async function loadFirstScreen(routes: RouteObject[]): Promise<void> {
  // Most addresses are plain, and matching all of them takes as long as rendering ten rows.
  const screen = knownScreens.find(({ path }) => path === location.pathname) ?? matchRoutes(routes, location)?.at(-1)?.route.handle
  if (screen) await loadScreen(screen)
}

function errorsOf({ errors }: State): Record<string, unknown> | null {
  if (!errors) return null
  return Object.fromEntries(Object.entries(errors).map(([id, { status, data }]) => [id, new ErrorResponse(status, '', data)]))
}

function languagesOf({ loaderData }: State): string[] {
  return Object.keys((loaderData?.['site'] as Site | undefined)?.languageSwitching ?? {})
}
