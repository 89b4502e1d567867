import { redirect, type RouteObject } from 'react-router'
import { SignInHeader } from '#apps/admin/sign-in-header.tsx'
import { AdminLayout } from '#apps/admin/admin-layout.tsx'
import { screens } from '#apps/admin/screens.ts'
import { AdminErrorPage } from '#apps/admin/admin-error-page.tsx'
import type { Screen, PendingCounts } from '#base/admin/screen.ts'
import type { Api } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import { Toasts } from '#base/web/toast.tsx'
import { siteZone } from '#base/admin/exact-time.tsx'
import type { paymentsWaiting } from '#reconciliation/contract.ts'
import type { baseInfo } from '#setting/contract.ts'
import { LoginPrompt } from '#staff/admin/sign-in.tsx'
import { mayDo, me } from '#staff/admin/staff.tsx'
import type { me as meCall } from '#staff/right-contract.ts'
import type { waitingNow } from '#statistic/contract.ts'

const selfPath = '/admin/self'

/** The staff session is known before any screen loads; the first call waits for the sign-in. */
export function routesOf(api: Api): RouteObject[] {
  return [
    {
      id: 'site',
      Component: AdminLayout,
      ErrorBoundary: AdminErrorPage,
      HydrateFallback: PendingSession,
      loader: async () => {
        await ensureSession(api)
        const info = await api.read<typeof baseInfo>('/baseInfo', {})
        siteZone.set(info.timeZone)
        return info
      },
      shouldRevalidate: () => false,
      children: [
        {
          id: 'screens',
          ErrorBoundary: AdminErrorPage,
          loader: () => loadCounts(api),
          // The counts are reloaded with each screen, and after each action.
          shouldRevalidate: () => true,
          children: [...screens.map((screen) => routeOf(api, screen)), startRoute(api), catchAll],
        },
      ],
    },
  ]
}

/** The counts of the menu; null if they fail to load, because the screen may still load. */
async function loadCounts(api: Api): Promise<PendingCounts | null> {
  await ensureSession(api)
  const quietly = { silent: true, background: true } as const
  try {
    const [desks, payments] = await Promise.all([
      api.read<typeof waitingNow>('/admin/waiting', {}, quietly),
      mayDo('payment.view') ? api.read<typeof paymentsWaiting>('/admin/payment/waiting', {}, quietly) : null,
    ])
    return { ...desks, ...payments }
  } catch (error) {
    if (error instanceof CallFailed) return null
    throw error
  }
}

/** Nothing is shown before the session is known; without one the sign-in appears. */
function PendingSession() {
  return (
    <>
      <LoginPrompt head={<SignInHeader />} />
      <Toasts />
    </>
  )
}

const catchAll: RouteObject = {
  path: '*',
  loader: () => {
    throw new Response(null, { status: 404 })
  },
}

function routeOf(api: Api, screen: Screen): RouteObject {
  return {
    id: screen.path,
    path: screen.path,
    handle: screen,
    loader: async ({ request }) => {
      await ensureSession(api)
      const url = new URL(request.url)
      return pendingStepRedirect(url) ?? (await screen.load?.({ api: withoutMessages(api), url })) ?? null
    },
    lazy: async () => ({ Component: (await screen.page()).Page }),
  }
}

/** The page itself reports a missing thing or a missing permission. */
function withoutMessages(api: Api): Api {
  return { ...api, read: (path, input, options) => api.read(path, input, { ...options, allows404: true }) }
}

/** The start page is the first permitted screen of the menu. */
function startRoute(api: Api): RouteObject {
  return {
    path: '/admin',
    loader: async ({ request }) => {
      await ensureSession(api)
      return (
        pendingStepRedirect(new URL(request.url)) ?? redirect(screens.find(({ group, right }) => group && mayDo(right))?.path ?? selfPath)
      )
    },
  }
}

/** Redirects staff with outstanding security steps to their page, which continues to the requested one. */
function pendingStepRedirect({ pathname, search }: URL): Response | null {
  if (!me.get()?.owes.length || pathname === selfPath) return null
  return redirect(`${selfPath}?${new URLSearchParams({ next: pathname + search })}`)
}

let sessionRequest: Promise<void> | null = null

/** Requests the session once for all waiting loaders. */
function ensureSession(api: Api): Promise<void> {
  sessionRequest ??= loadSession(api).finally(() => (sessionRequest = null))
  return sessionRequest
}

async function loadSession(api: Api): Promise<void> {
  if (!me.get()) me.set(await api.read<typeof meCall>('/admin/me', {}))
}
