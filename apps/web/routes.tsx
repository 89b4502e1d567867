import { redirectDocument, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { ErrorPage } from '#apps/web/error-page.tsx'
import { Layout } from '#apps/web/layout.tsx'
import { questionOf, type Head, type Language, type Say, type Screen } from '#apps/web/screen.ts'
import { memberArea } from '#apps/web/member-area.ts'
import { Waiting } from '#apps/web/waiting.tsx'
import { loaderContext } from '#apps/web/loader-context.ts'

/** What a screen looks like, and what happens around the loading of its data. */
export type ScreenLayout = (screen: Screen) => Pick<RouteObject, 'Component' | 'shouldRevalidate'> & { around?: Around }
type Around = (args: LoaderFunctionArgs, load: () => Promise<unknown>) => Promise<unknown>

/** The site's routes. `place` says where a screen's component comes from: at hand on the server, fetched in the browser. */
export function routesOf(screens: readonly Screen[], place: ScreenLayout): RouteObject[] {
  return [
    {
      id: 'site',
      Component: Layout,
      ErrorBoundary: ErrorPage,
      loader: ({ context }) => context.get(loaderContext).api.read('/baseInfo', {}),
      shouldRevalidate: () => false,
      children: [
        {
          id: 'screens',
          ErrorBoundary: ErrorPage,
          HydrateFallback: Waiting,
          children: [
            ...screens.filter(({ within }) => !within).map((screen) => routeOf(screen, place)),
            {
              id: memberArea.path,
              Component: place(memberArea).Component ?? null,
              children: screens.filter(({ within }) => within).map((screen) => routeOf(screen, place)),
            },
            elsewhere,
          ],
        },
      ],
    },
  ]
}

// By a new document, for a style knows only then that one came by the address of its part.
const elsewhere: RouteObject = { path: '*', loader: () => redirectDocument('/index#elsewhere') }

function routeOf(screen: Screen, place: ScreenLayout): RouteObject {
  const { around = simply, ...placed } = place(screen)
  return {
    id: screen.path,
    path: screen.path,
    handle: screen,
    ...placed,
    // What the server leaves to the browser waits for its data, even for none, and until then is the frame that the server sent.
    loader: (args) => around(args, async () => (await screen.load?.(questionOf(args))) ?? null),
  }
}

function simply(_: LoaderFunctionArgs, load: () => Promise<unknown>): Promise<unknown> {
  return load()
}

/** What a screen's head says, from what it loaded. */
export function headOf(screen: Screen | undefined, data: unknown, language: Language, say: Say): Head {
  if (!screen || data === undefined) return screen?.isPublic ? {} : { isPrivate: true }
  return screen.head?.(data as never, language, say) ?? { isPrivate: true }
}
