import type { PageCache } from '#base/server/cache/page-cache.ts'
import { sendEncoded, type FastPath } from '#base/server/cache/send-cached.ts'
import type { PreparedRoute } from '#base/server/http/serve.ts'

type ResponseCacheOptions = {
  cache: PageCache
  routes: readonly PreparedRoute[]
  /** The audience key of visitors; null until it is loaded. */
  visitorAudience(): string | null
}

/** Answers visitors from the cache before anything else looks at the request: sending cached bytes costs less than counting the request. */
export function cachedReadPath({ cache, routes, visitorAudience }: ResponseCacheOptions, headers: readonly string[]): FastPath {
  const readable = routes.filter(({ route }) => route.endpoint.shared && !route.limits)
  const byPath = new Map(readable.map((server) => [`/api${server.route.endpoint.path}`, server]))

  return ({ method, url = '', headers: requestHeaders }, response) => {
    if (method !== 'GET' || requestHeaders.authorization !== undefined) return false
    const at = url.indexOf('?')
    const server = byPath.get(at < 0 ? url : url.slice(0, at))
    const audience = server ? visitorAudience() : null
    if (!server || audience === null) return false
    const key = server.keyKnown(at < 0 ? '' : url.slice(at + 1), audience)
    const cached = key === null ? undefined : cache.get(key)
    return cached ? sendEncoded(cached, requestHeaders, response, headers) : false
  }
}
