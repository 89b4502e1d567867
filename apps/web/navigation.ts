import type { createBrowserRouter } from 'react-router'
import { currentWords } from '#apps/web/language.ts'
import { faultIn } from '#apps/web/error-page.tsx'
import { headOf } from '#apps/web/routes.tsx'
import type { Screen } from '#base/web/screen.ts'
import type { Api } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { contentId, focusNext } from '#base/web/focus-later.ts'
import { translatorFor } from '#base/web/words.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import type { addPageView } from '#statistic/contract.ts'

type Router = ReturnType<typeof createBrowserRouter>

/** The current and the next path: recorded by the navigation guard, which always permits. */
export const visitedPaths = { previous: '', target: '' }

/** After each navigation: updates the path and the title, and sends a page view silently. */
export function trackNavigation(api: Api, router: Router): void {
  visitedPaths.target = trackedPath(location)
  sendPageView(api, document.referrer)
  router.subscribe(({ navigation, location: at, loaderData, matches, errors }) => {
    if (navigation.state !== 'idle') return
    setTitle(matches.at(-1)?.route, loaderData, errors)
    const path = trackedPath(at)
    if (path === visitedPaths.target) return
    visitedPaths.previous = visitedPaths.target
    visitedPaths.target = path
    sendPageView(api, visitedPaths.previous === '/' ? '' : location.origin + visitedPaths.previous)
    // The focused link went with its page, and focus would return to the header.
    focusNext(`#${contentId}`)
  })
  currentWords.watch(() => setTitle(router.state.matches.at(-1)?.route, router.state.loaderData, router.state.errors))
}

function sendPageView(api: Api, referrer: string): void {
  api
    .read<typeof addPageView>('/statistic/add', { url: trackedPath(location), referrer: referrer.slice(0, 2000) }, { silent: true })
    .catch((error: unknown) => {
      console.info('The page view was not counted', error)
    })
}

function setTitle(
  route: { id: string; handle?: Screen } | undefined,
  loaderData: Record<string, unknown>,
  errors: Record<string, unknown> | null,
): void {
  const spoken = currentWords.get()
  const translate = translatorFor(spoken)
  const fault = faultIn(errors)
  const title = fault
    ? translate(`site.${fault}Title`)
    : headOf(route?.handle, route && loaderData[route.id], spoken.language, translate).title
  const siteTitle = (site.get() ?? (loaderData['site'] as Site | undefined))?.title ?? ''
  document.title = title ? `${isolate(title)} - ${isolate(siteTitle)}` : siteTitle
}

// A provider's query parameters are secret, and excluded from page views.
function trackedPath({ pathname, search }: { pathname: string; search: string }): string {
  return pathname.startsWith('/thirdParty/') ? pathname : pathname + search
}
