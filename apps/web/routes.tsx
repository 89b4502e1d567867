import { redirectDocument, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { ErrorPage } from '#apps/web/error-page.tsx'
import { Layout } from '#apps/web/layout.tsx'
import type { Head, Language, Translate, Screen } from '#base/web/screen.ts'
import { memberArea } from '#apps/web/member-area.ts'
import { ScreenPlaceholder } from '#apps/web/screen-placeholder.tsx'
import { loaderArgsOf, loaderContext } from '#apps/web/loader-context.ts'

/** The component of a screen, and a wrapper around its loader. */
export type ScreenLayout = (screen: Screen) => Pick<RouteObject, 'Component' | 'shouldRevalidate'> & { around?: LoaderWrapper }
type LoaderWrapper = (args: LoaderFunctionArgs, load: () => Promise<unknown>) => Promise<unknown>

/** The site's routes. `place` provides a screen's component: preloaded on the server, lazy in the browser. */
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
          HydrateFallback: ScreenPlaceholder,
          children: [
            ...screens.filter(({ isInMemberArea }) => !isInMemberArea).map((screen) => routeOf(screen, place)),
            {
              id: memberArea.path,
              Component: place(memberArea).Component ?? null,
              children: screens.filter(({ isInMemberArea }) => isInMemberArea).map((screen) => routeOf(screen, place)),
            },
            catchAll,
          ],
        },
      ],
    },
  ]
}

// With a full document load, because styles only match a fragment that was in the document's address.
const catchAll: RouteObject = { path: '*', loader: () => redirectDocument('/index#elsewhere') }

function routeOf(screen: Screen, place: ScreenLayout): RouteObject {
  const { around = plainLoad, ...placed } = place(screen)
  return {
    id: screen.path,
    path: screen.path,
    handle: screen,
    ...placed,
    // Every screen has a loader, so that one the server leaves to the browser keeps the server's shell until its data is loaded.
    loader: (args) => around(args, async () => (await screen.load?.(loaderArgsOf(args))) ?? null),
  }
}

function plainLoad(_: LoaderFunctionArgs, load: () => Promise<unknown>): Promise<unknown> {
  return load()
}

/** The head of a screen, from its loaded data. */
export function headOf(screen: Screen | undefined, data: unknown, language: Language, translate: Translate): Head {
  if (!screen || data === undefined) return screen?.isPublic ? {} : { isPrivate: true }
  return screen.head?.(data as never, language, translate) ?? { isPrivate: true }
}
