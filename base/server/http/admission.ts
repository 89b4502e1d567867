import type { Endpoint } from '#base/contract.ts'
import { isLoopback, rateLimiter } from '#base/server/http/rate-limit.ts'
import { assertApproved, type Viewer } from '#base/server/http/route.ts'
import { withTokenReturn, type PreparedRoute, type RateLimitGuard } from '#base/server/http/serve.ts'
import type { Language } from '#base/server/words.ts'

/** Refuses calls while the site is closed. */
export type AssertSiteOpen = (endpoint: Endpoint, language: Language) => Promise<void>

export type Caller = { viewer: Viewer; client: { ip: string; language: Language } }

/**
 * The checks of a call once its caller is known, whichever way it comes in: the state of the site, which does not bind staff at work, the
 * approval of the member, the route's rate limits, and its guard.
 */
export function admission(
  { route: { endpoint, guard }, limit }: PreparedRoute,
  { viewer, client: { ip, language } }: Caller,
  assertSiteOpen: AssertSiteOpen | undefined,
): RateLimitGuard {
  return async () => {
    if (!endpoint.path.startsWith('/admin/')) await assertSiteOpen?.(endpoint, language)
    assertApproved(viewer, endpoint)
    const returnToken = await limit(ip, viewer)
    await withTokenReturn(returnToken, async () => guard(viewer))
    return returnToken
  }
}

// Pages make many reads by themselves; a write is somebody's act. A route's own limits come on top.
const perMinute = { GET: 1_200, POST: 600 }

/** Refuses a network that calls too often, before anything is read for it. */
export function networkLimit(name: string, method: keyof typeof perMinute): (ip: string) => Promise<void> {
  const limit = rateLimiter(name, [{ times: perMinute[method], seconds: 60, by: 'ip' }])
  return async (ip) => {
    // Behind a proxy that was not configured, all visitors have this address: a shared limit would let one of them shut out all others.
    if (!isLoopback(ip)) await limit(ip, { id: null })
  }
}
