import { redirect, type RouteObject } from 'react-router'
import { ErrorPage } from '#apps/web/error-page.tsx'
import { Layout } from '#apps/web/layout.tsx'
import { questionOf, type Head, type Language, type Screen } from '#apps/web/screen.ts'
import { screens } from '#apps/web/screens.ts'
import { portContext } from '#apps/web/port.ts'

type Place = (screen: Screen) => Pick<RouteObject, 'Component' | 'lazy'>

/** The site's routes. `place` says where a screen's component comes from: at hand on the server, fetched in the browser. */
export function routesOf(place: Place): RouteObject[] {
  return [
    {
      id: 'site',
      Component: Layout,
      ErrorBoundary: ErrorPage,
      HydrateFallback: Nothing,
      loader: ({ context }) => context.get(portContext).api.read('/baseInfo', {}),
      shouldRevalidate: () => false,
      children: [{ id: 'screens', ErrorBoundary: ErrorPage, children: [...screens.map((screen) => routeOf(screen, place)), elsewhere] }],
    },
  ]
}

const elsewhere: RouteObject = { path: '*', loader: () => redirect('/index') }

function routeOf(screen: Screen, place: Place): RouteObject {
  const { load } = screen
  return {
    id: screen.path,
    path: screen.path,
    handle: screen,
    ...place(screen),
    ...(load && { loader: (args) => load(questionOf(args)) }),
  }
}

/** What a screen's head says, from what it loaded. */
export function headOf(screen: Screen | undefined, data: unknown, language: Language, say: (code: string) => string): Head {
  if (!screen?.head || data === undefined) return screen?.isPublic ? {} : { isPrivate: true }
  return screen.head(data as never, language, say)
}

function Nothing() {
  return null
}
