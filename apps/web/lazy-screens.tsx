import type { ComponentType } from 'react'
import type { DataRouter } from 'react-router'
import { onMemberLogout } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import { later } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import { loadMetadata } from '#apps/web/known-screens.ts'
import type { ScreenLayout } from '#apps/web/routes.tsx'
import { partsOf } from '#apps/web/member-area.ts'
import type { Screen } from '#base/web/screen.ts'
import type { baseInfo } from '#setting/contract.ts'

const pages = import.meta.glob<{ Page: ComponentType }>([
  '/apps/web/screens/{index,thread,ask-list,question,search}.tsx',
  '/features/site/help/web/{terms,help,help-detail}-page.tsx',
])
const loadedComponents = new Map<string, ComponentType>()
const failedFiles = new Set<string>()

/** Loads the component of a screen and of its layout. */
export async function loadScreen(screen: Screen): Promise<void> {
  await loadMetadata(screen)
  await Promise.all(partsOf(screen).map(loadComponent))
}

async function loadComponent(screen: Screen): Promise<void> {
  if (loadedComponents.has(screen.file)) return
  const come = await (pages[screen.file]?.() ?? later(loadRare(screen.file)))
  if (come) loadedComponents.set(screen.file, come.Page)
}

async function loadRare(file: string): Promise<{ Page: ComponentType } | undefined> {
  const { otherPages } = await import('#apps/web/rare-screens.ts')
  return otherPages[file]?.()
}

/**
 * Navigation in the browser: data and component load in parallel. If the site is unreachable, the reader stays on the
 * current page with a retry.
 */
export function lazyLayout(api: Api, router: () => DataRouter, isShown: Promise<void>): ScreenLayout {
  let isStaying = false
  let hush: () => void = () => undefined
  // Screens that were loaded for a member who has logged out since.
  const staleScreens = new Set<string>()
  onMemberLogout(() => Object.keys(router().state.loaderData).forEach((path) => staleScreens.add(path)))

  async function stay(path: string, text: string): Promise<void> {
    const here = router().state.location
    isStaying = true
    await router().navigate(here, { replace: true, preventScrollReset: true, state: here.state })
    isStaying = false
    hush = toast(text, { isPersistent: true, retry: () => void router().navigate(path) })
  }

  function onNoAnswer(error: CallFailed, screen: Screen, { url, signal }: Request): unknown {
    const { pathname, search, hash } = new URL(url)
    const { navigation, loaderData } = router().state
    if (signal.aborted) throw error
    if (pathname + search !== location.pathname + location.search) return stay(pathname + search + hash, error.message)
    // Existing data is better than an error, if it was loaded for the same person.
    if (navigation.state === 'idle' && loaderData[screen.path] !== undefined && !staleScreens.has(screen.path))
      return loaderData[screen.path]
    throw error
  }

  return (screen) => ({
    Component: function Arrived() {
      const Page = loadedComponents.get(screen.file)
      return Page && <Page />
    },
    shouldRevalidate: ({ defaultShouldRevalidate }) => defaultShouldRevalidate && !isStaying,
    async around({ request }, load) {
      hush()
      // The server's state is hydrated before anything changes.
      await isShown
      try {
        await loadOrReload(api, request, 'addresses', () => loadMetadata(screen))
        const [data] = await Promise.all([load(), loadOrReload(api, request, screen.file, () => loadScreen(screen))])
        staleScreens.delete(screen.path)
        return data
      } catch (error) {
        if (error instanceof CallFailed && error.status === 0) return onNoAnswer(error, screen, request)
        throw error
      }
    },
  })
}

// A failed chunk stays failed in this document, and a new release may have removed it: once the site responds, the page is reloaded.
async function loadOrReload(api: Api, { url, signal }: Request, what: string, come: () => Promise<void>): Promise<void> {
  if (!failedFiles.has(what)) {
    try {
      return await come()
    } catch {
      failedFiles.add(what)
    }
  }
  await api.read<typeof baseInfo>('/baseInfo', {}, { silent: true })
  signal.throwIfAborted()
  location.assign(url)
  return new Promise(() => undefined)
}
