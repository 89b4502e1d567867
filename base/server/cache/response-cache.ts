import type { PageCache } from '#base/server/cache/page-cache.ts'
import { sendEncoded, type FastPath } from '#base/server/cache/send-cached.ts'
import { anyone } from '#base/server/http/route.ts'
import type { PreparedRoute } from '#base/server/http/serve.ts'

type ResponseCacheOptions = {
  cache: PageCache
  routes: readonly PreparedRoute[]
  /** The audience key of visitors, or of the member whose token this is; null until it is loaded. */
  cachedAudience(authorization: string | undefined): string | null
}

/** The headers of shared answers. */
export type SharedHeaders = { visitor: readonly string[]; member: readonly string[] }

/** Answers shared reads from the cache before anything else looks at the request: sending cached bytes costs less than counting the request. */
export function cachedReadPath({ cache, routes, cachedAudience }: ResponseCacheOptions, headers: SharedHeaders): FastPath {
  const readable = routes.filter(({ route }) => route.endpoint.shared && route.guard === anyone && !route.limits)
  const byPath = new Map(readable.map((server) => [`/api${server.route.endpoint.path}`, server]))

  return ({ method, url = '', headers: requestHeaders }, response) => {
    if (method !== 'GET') return false
    const { authorization } = requestHeaders
    const at = url.indexOf('?')
    const server = byPath.get(at < 0 ? url : url.slice(0, at))
    const audience = server ? cachedAudience(authorization) : null
    if (!server || audience === null) return false
    const key = server.keyKnown(at < 0 ? '' : url.slice(at + 1), audience)
    const cached = key === null ? undefined : cache.get(key)
    return cached ? sendEncoded(cached, requestHeaders, response, authorization === undefined ? headers.visitor : headers.member) : false
  }
}
