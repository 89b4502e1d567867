import type { ComponentType } from 'react'
import type { DataRouter } from 'react-router'
import { onMemberLogout } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import { later } from '#base/web/later.ts'
import { say } from '#base/web/toast.tsx'
import { complete } from '#apps/web/known-screens.ts'
import type { ScreenLayout } from '#apps/web/routes.tsx'
import { partsOf, type Screen } from '#apps/web/screen.ts'
import type { baseInfo } from '#setting/contract.ts'

const pages = import.meta.glob<{ Page: ComponentType }>([
  './screens/{index,thread,ask-list,question,search}.tsx',
  '../../features/help/web/{terms,help,help-detail}-page.tsx',
])
const brought = new Map<string, ComponentType>()
const lost = new Set<string>()

/** Loads the component of a screen and of its layout. */
export async function bring(screen: Screen): Promise<void> {
  await complete(screen)
  await Promise.all(partsOf(screen).map(bringPart))
}

async function bringPart(screen: Screen): Promise<void> {
  if (brought.has(screen.file)) return
  const come = await (pages[screen.file]?.() ?? later(bringOther(screen.file)))
  if (come) brought.set(screen.file, come.Page)
}

async function bringOther(file: string): Promise<{ Page: ComponentType } | undefined> {
  const { otherPages } = await import('#apps/web/other-pages.ts')
  return otherPages[file]?.()
}

/**
 * Navigation in the browser: data and component load in parallel. If the site is unreachable, the reader stays on the
 * current page with a retry.
 */
export function arriving(api: Api, router: () => DataRouter, isShown: Promise<void>): ScreenLayout {
  let isStaying = false
  let hush: () => void = () => undefined
  // Screens that were loaded for a member who has logged out since.
  const ofOthers = new Set<string>()
  onMemberLogout(() => Object.keys(router().state.loaderData).forEach((path) => ofOthers.add(path)))

  async function stay(path: string, text: string): Promise<void> {
    const here = router().state.location
    isStaying = true
    await router().navigate(here, { replace: true, preventScrollReset: true, state: here.state })
    isStaying = false
    hush = say(text, { isPersistent: true, retry: () => void router().navigate(path) })
  }

  function unanswered(error: CallFailed, screen: Screen, { url, signal }: Request): unknown {
    const { pathname, search, hash } = new URL(url)
    const { navigation, loaderData } = router().state
    if (signal.aborted) throw error
    if (pathname + search !== location.pathname + location.search) return stay(pathname + search + hash, error.message)
    // Existing data is better than an error, if it was loaded for the same person.
    if (navigation.state === 'idle' && loaderData[screen.path] !== undefined && !ofOthers.has(screen.path)) return loaderData[screen.path]
    throw error
  }

  return (screen) => ({
    Component: function Arrived() {
      const Page = brought.get(screen.file)
      return Page && <Page />
    },
    shouldRevalidate: ({ defaultShouldRevalidate }) => defaultShouldRevalidate && !isStaying,
    async around({ request }, load) {
      hush()
      // The server's state is hydrated before anything changes.
      await isShown
      try {
        await orLeave(api, request, 'addresses', () => complete(screen))
        const [data] = await Promise.all([load(), orLeave(api, request, screen.file, () => bring(screen))])
        ofOthers.delete(screen.path)
        return data
      } catch (error) {
        if (error instanceof CallFailed && error.status === 0) return unanswered(error, screen, request)
        throw error
      }
    },
  })
}

// A failed chunk stays failed in this document, and a new release may have removed it: once the site responds, the page is reloaded.
async function orLeave(api: Api, { url, signal }: Request, what: string, come: () => Promise<void>): Promise<void> {
  if (!lost.has(what)) {
    try {
      return await come()
    } catch {
      lost.add(what)
    }
  }
  await api.read<typeof baseInfo>('/baseInfo', {}, { silent: true })
  signal.throwIfAborted()
  location.assign(url)
  return new Promise(() => undefined)
}
