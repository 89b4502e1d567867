import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#base/contract.ts'
import { withoutQuery } from '#base/query-string.ts'
import type { CachedResponse, RenderedResponse, PageCache } from '#base/server/cache/page-cache.ts'
import type { CountersFor } from '#base/server/cache/counters.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'
import { SiteClosed } from '#base/server/http/route.ts'
import { flat, sendCached, sendEncoded, type FastPath } from '#base/server/cache/send-cached.ts'
import { languageOf, say } from '#base/server/words.ts'
import { Semaphore } from '#base/server/semaphore.ts'
import { servePreferences } from '#apps/server/preference-cookies.ts'
import { makePage, type Making, type PageRequest } from '#apps/server/make-page.ts'
import { keyOf, whichPage, type Address, type Site, type PageKey } from '#apps/server/page-key.ts'

export type PageGround = Making & {
  app: FastifyInstance
  cache: PageCache
  site(): Promise<Site>
  publicUrl: string | null
  /** Headers of every answer. */
  headers: Record<string, string>
  counterFor?: CountersFor
}

// More at a time would finish no page sooner.
const mostAtOnce = 4
const longestMs = 1_500
// Tags a page without content sent in place of the full one: it must not be cached.
const unfilled = 'unfilled'

/**
 * Serves every address that is not a call or a file: a cached page, a new one, or a redirect to the index. Returns the fast path for cached
 * pages, which runs before the framework.
 */
export async function servePages(ground: PageGround): Promise<FastPath> {
  const { app, cache, frontend, publicUrl } = ground
  const { addresses } = await frontend.program()
  const places = new Map<string, AddressInLists>()
  const [make, isTooOften] = [makerOf(ground), limitOfFleeting(ground)]
  let site = await ground.site()

  async function page({ address }: AddressInLists, request: FastifyRequest): Promise<CachedResponse> {
    // If the settings cannot be read, the page fails too, and its failure is logged there.
    site = await ground.site().catch(() => site)
    const which = whichPage(address, request.raw, { ...site, publicUrl })
    const key = keyOf(which)
    const isPublic = isPublicAt(address, which) && !(address.isFleeting && (await isTooOften(request.ip)))
    const wanted = { ...which, isPublic, isFleeting: address.isFleeting, site }
    return cache.get(key) ?? cache.make(key, () => make(wanted))
  }

  const passing = { ...ground.headers, 'cache-control': 'no-store' }
  const failing = flat(passing)
  const away = flat({ ...passing, 'retry-after': '5' })
  const closed = flat({ ...passing, 'retry-after': String(SiteClosed.retryAfter) })

  function headersOf({ status }: CachedResponse) {
    if (status !== 503) return failing
    return site.siteState === 'closed' ? closed : away
  }

  // Shared caches do not vary by device, so a site with several layouts allows only private caching.
  const headersAt = ({ forAll, forOne }: AddressInLists) => (site.supportAccessDevice === 1 ? forAll : forOne)

  for (const address of addresses) {
    const place = placeOf(address, ground.headers)
    places.set(address.path, place)
    app.get(address.path, async (request, reply) => {
      const kept = await page(place, request)
      return sendCached(kept, request, reply, kept.status < 400 && !kept.tags.includes(unfilled) ? headersAt(place) : headersOf(kept))
    })
  }
  servePreferences(app)
  leadElsewhere(app)

  return (request, response) => {
    const { method, url = '', headers } = request
    const place = places.get(withoutQuery(url))
    if (!place || method !== 'GET') return false
    // The settings may have changed since, but then their invalidation has emptied the cache.
    const kept = cache.get(keyOf(whichPage(place.address, request, { ...site, publicUrl })))
    return kept ? sendEncoded(kept, headers, response, headersAt(place)) : false
  }
}

/**
 * Renders few pages at a time. After a timeout the request gets the page without content, which costs little and is filled by the browser.
 */
function makerOf(ground: PageGround): (wanted: PageRequest) => Promise<RenderedResponse> {
  const turns = new Semaphore(mostAtOnce, longestMs)

  async function frame(wanted: PageRequest): Promise<RenderedResponse> {
    const made = await makePage(ground, { ...wanted, isPublic: false, isFleeting: true })
    return { ...made, tags: [...made.tags, unfilled] }
  }

  return async (wanted) =>
    wanted.isPublic
      ? turns.take(
          () => makePage(ground, wanted),
          () => frame(wanted),
        )
      : makePage(ground, wanted)
}

// The reason is in the fragment, which no server sees, so the page stays one for all.
const elsewhere = '/index#elsewhere'

function leadElsewhere(app: FastifyInstance): void {
  app.get('/', async (_, reply) => reply.redirect('/index'))
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send()
    return request.url.startsWith('/api/')
      ? reply.code(404).send({ message: say(languageOf(request.headers['accept-language']), 'base.missing') })
      : reply.redirect(elsewhere)
  })
}

// Such a page costs a search. Beyond the limit the visitor gets the page without content, and the call that fills it reports the limit.
function limitOfFleeting({ counterFor }: PageGround): (ip: string) => Promise<boolean> {
  const often = rateLimiter('fleeting pages', [{ times: 10, seconds: 60, by: 'visitor' }], counterFor)
  return (ip) =>
    often(ip, { id: null }).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refusal) return true
        throw error
      },
    )
}

type AddressInLists = { address: Address; forAll: readonly string[]; forOne: readonly string[] }

const own = 'private, no-cache'

function placeOf(address: Address, common: PageGround['headers']): AddressInLists {
  const headers = { ...common, vary: 'Accept-Encoding, Accept-Language, Cookie' }
  return {
    address,
    forAll: flat({ ...headers, 'cache-control': cachingOf(address) }),
    forOne: flat({ ...headers, 'cache-control': own }),
  }
}

function cachingOf({ isPublic, isFleeting }: Address): string {
  return isPublic && !isFleeting ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=60' : own
}

function isPublicAt({ isPublic, publicWith }: Address, { asked }: PageKey): boolean {
  return isPublic && (publicWith === null || new URLSearchParams(asked).has(publicWith))
}
