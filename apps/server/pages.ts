import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#base/contract.ts'
import { withoutQuery } from '#base/query-string.ts'
import type { CachedResponse, RenderedResponse } from '#base/server/cache/cached-response.ts'
import type { Freshness, PageCache } from '#base/server/cache/page-cache.ts'
import { wroteLately } from '#base/server/http/secret-cookies.ts'
import type { CounterFactory } from '#base/server/cache/counters.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'
import { SiteClosed } from '#base/server/http/route.ts'
import { flattenHeaders, sendCached, sendEncoded, type FastPath } from '#base/server/cache/send-cached.ts'
import { languageOf, say } from '#base/server/words.ts'
import { Semaphore } from '#base/server/semaphore.ts'
import { servePreferences } from '#apps/server/preference-cookies.ts'
import { renderPage, type RenderContext, type PageRequest } from '#apps/server/render-page.ts'
import { cacheKeyFinder, cacheKeyOf, pageKeyFor, type Address, type SiteInfo, type PageKey } from '#apps/server/page-key.ts'

export type PageOptions = RenderContext & {
  app: FastifyInstance
  cache: PageCache
  site(): Promise<SiteInfo>
  publicUrl: string | null
  /** Headers of every answer. */
  headers: Record<string, string>
  counterFor?: CounterFactory
  /** The address here of a page of a forum that moved in; null for any other. */
  newAddressOf?(url: string): Promise<string | null>
}

// More at a time would finish no page sooner.
const maxConcurrent = 4
const maxWaitMs = 1_500
// Tags a page without content sent in place of the full one: it must not be cached.
const shell = 'unfilled'

/**
 * Serves every address that is not a call or a file: a cached page, a new one, or a redirect to the index. Returns the fast path for cached
 * pages, which runs before the framework.
 */
export async function servePages(options: PageOptions): Promise<FastPath> {
  const { app, cache, frontend, publicUrl, newAddressOf = noAddress } = options
  const { addresses } = await frontend.program()
  const servedByPath = new Map<string, ServedAddress>()
  const [make, isOverLimit, headersOfError] = [pageRenderer(options), uncacheableLimit(options), errorHeaders(options)]
  const keyFor = cacheKeyFinder(publicUrl)
  let site = await options.site()

  async function page({ address }: ServedAddress, request: FastifyRequest): Promise<CachedResponse> {
    // If the settings cannot be read, the page fails too, and its failure is logged there.
    site = await options.site().catch(() => site)
    const pageKey = pageKeyFor(address, request.raw, site, publicUrl)
    const key = cacheKeyOf(pageKey)
    const isPublic = isPublicRequest(address, pageKey) && !(address.isFleeting && (await isOverLimit(request.ip)))
    const pageRequest = { ...pageKey, isPublic, isUncacheable: address.isFleeting, site }
    const freshness = freshnessFor(request)
    return cache.get(key, freshness) ?? cache.make(key, () => make(pageRequest), freshness)
  }

  // Shared caches do not vary by device, so a site with several layouts allows only private caching.
  const headersAt = ({ sharedHeaders, privateHeaders }: ServedAddress) => (site.supportAccessDevice === 1 ? sharedHeaders : privateHeaders)

  for (const address of addresses) {
    const served = toServedAddress(address, options.headers)
    servedByPath.set(address.path, served)
    app.get(address.path, async (request, reply) => {
      const cached = await page(served, request)
      const moved = cached.status === 404 || hasOldParameter(request.url) ? await newAddressOf(request.url) : null
      if (moved !== null) return redirectForGood(reply, moved)
      return sendCached(
        cached,
        request,
        reply,
        cached.status < 400 && !cached.tags.includes(shell) ? headersAt(served) : headersOfError(cached, site),
      )
    })
  }
  servePreferences(app)
  serveNotFound(options)

  return (request, response) => {
    const { method, url = '', headers } = request
    const served = servedByPath.get(withoutQuery(url))
    if (!served || method !== 'GET' || hasOldParameter(url)) return false
    // The settings may have changed since, but then their invalidation has emptied the cache.
    const cached = cache.get(keyFor(served.address, request, site), freshnessFor(request))
    return cached ? sendEncoded(cached, headers, response, headersAt(served)) : false
  }
}

/**
 * Addresses of a forum that moved in may look like ours. Ids tell topics apart, so that such a page is missing here; that of a member has a
 * parameter which no page of ours has.
 */
function hasOldParameter(url: string): boolean {
  return url.includes('userName=')
}

/** A page to which something was added may be a second late, but not for the reader who added it. */
function freshnessFor({ headers }: Pick<FastifyRequest, 'headers'>): Freshness {
  return wroteLately(headers) ? 'current' : 'late'
}

/** Headers of a page that is no content: nobody stores it, and after a while the client may try again. */
function errorHeaders({ headers }: PageOptions): (response: CachedResponse, site: SiteInfo) => readonly string[] {
  const uncached = { ...headers, 'cache-control': 'no-store' }
  const plain = flattenHeaders(uncached)
  const unavailable = flattenHeaders({ ...uncached, 'retry-after': '5' })
  const closed = flattenHeaders({ ...uncached, 'retry-after': String(SiteClosed.retryAfter) })
  return ({ status }, { siteState }) => {
    if (status !== 503) return plain
    return siteState === 'closed' ? closed : unavailable
  }
}

/**
 * Renders few pages at a time. After a timeout the request gets the page without content, which costs little and is filled by the browser.
 */
function pageRenderer(options: PageOptions): (pageRequest: PageRequest) => Promise<RenderedResponse> {
  const semaphore = new Semaphore(maxConcurrent, maxWaitMs)

  async function renderShell(pageRequest: PageRequest): Promise<RenderedResponse> {
    const response = await renderPage(options, { ...pageRequest, isPublic: false, isUncacheable: true })
    return { ...response, tags: [...response.tags, shell] }
  }

  return async (pageRequest) =>
    pageRequest.isPublic
      ? semaphore.run(
          () => renderPage(options, pageRequest),
          () => renderShell(pageRequest),
        )
      : renderPage(options, pageRequest)
}

// The reason is in the fragment, which no server sees, so the page stays one for all.
const notFoundTarget = '/index#elsewhere'

// A lifetime of one day: an import that is undone and run again has other ids.
function redirectForGood(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=86400').redirect(to, 301)
}

const noAddress = () => Promise.resolve(null)

function serveNotFound({ app, newAddressOf = noAddress }: PageOptions): void {
  app.get('/', async (request, reply) => (isForProgram(request) ? missing(request, reply) : reply.redirect('/index')))
  app.setNotFoundHandler(async (request, reply) => {
    if (isForProgram(request)) return missing(request, reply)
    const moved = await newAddressOf(request.url)
    return moved === null ? reply.header('vary', 'Accept').redirect(notFoundTarget) : redirectForGood(reply, moved)
  })
}

/** Whether a program asks, which cannot read a page: by the method, the address, or the types that it accepts. */
function isForProgram({ method, url, headers: { accept = '' } }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || /^\/(api|mcp|\.well-known)(\/|$)/.test(withoutQuery(url))) return true
  return /\bjson\b|\bevent-stream\b/i.test(accept) && !/\bx?html\b/i.test(accept)
}

function missing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ message: say(languageOf(request.headers['accept-language']), 'base.missing') })
}

// Such a page costs a search. Beyond the limit the visitor gets the page without content, and the call that fills it reports the limit.
function uncacheableLimit({ counterFor }: PageOptions): (ip: string) => Promise<boolean> {
  const limitRate = rateLimiter('fleeting pages', [{ times: 10, seconds: 60, by: 'visitor' }], counterFor)
  return (ip) =>
    limitRate(ip, { id: null }).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refusal) return true
        throw error
      },
    )
}

type ServedAddress = { address: Address; sharedHeaders: readonly string[]; privateHeaders: readonly string[] }

const privateCaching = 'private, no-cache'

function toServedAddress(address: Address, common: PageOptions['headers']): ServedAddress {
  const headers = { ...common, vary: 'Accept-Encoding, Accept-Language, Cookie' }
  return {
    address,
    sharedHeaders: flattenHeaders({ ...headers, 'cache-control': cacheControlOf(address) }),
    privateHeaders: flattenHeaders({ ...headers, 'cache-control': privateCaching }),
  }
}

function cacheControlOf({ isPublic, isFleeting }: Address): string {
  return isPublic && !isFleeting ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=60' : privateCaching
}

function isPublicRequest({ isPublic, publicWith }: Address, { query }: PageKey): boolean {
  return isPublic && (publicWith === null || new URLSearchParams(query).has(publicWith))
}
