import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { noting } from '#base/server/made-of.ts'
import type { Kept, Made, PageCache } from '#base/server/page-cache.ts'
import { Refusal, type Api } from '#base/contract.ts'
import { isAway } from '#base/server/database.ts'
import type { Log } from '#base/server/log.ts'
import { flat, sendKept, sendReady, type AtOnce } from '#base/server/send-kept.ts'
import type { ReadInside } from '#base/server/serve.ts'
import type { Frontend } from '#apps/server/frontend.ts'
import { rateLimiter } from '#base/server/rate-limit.ts'
import { keyOf, whichPage, type Address, type Site, type Which } from '#apps/server/which-page.ts'
import { withoutQuery } from '#base/query-string.ts'
import { languageOf, say } from '#base/server/words.ts'

export type PageGround = {
  app: FastifyInstance
  frontend: Frontend
  cache: PageCache
  read: ReadInside
  site(): Promise<Site>
  publicUrl: string | null
  isBehindProxy: boolean
  log: Log
  /** What every answer carries. */
  headers: Record<string, string>
}

/**
 * Serves every address that is not a call or a file: a page kept from before, a page made now, or the way to the index.
 * Gives back what answers with kept pages at once, before the framework is asked.
 */
export async function servePages(ground: PageGround): Promise<AtOnce> {
  const { app, cache, frontend } = ground
  const { addresses } = await frontend.program()
  const places = new Map<string, Place>()
  let site = await ground.site()

  async function page({ address }: Place, request: FastifyRequest): Promise<Kept> {
    site = await ground.site()
    const origin = ground.publicUrl ?? `${request.protocol}://${request.headers.host}`
    const which = whichPage(address, { url: request.url, headers: request.headers, origin }, site)
    const key = keyOf(which)
    const isPublic = isPublicAt(address, which) && !(await isTooOften(address, request.ip))
    return cache.get(key) ?? cache.make(key, () => make(ground, { ...which, isPublic, isFleeting: address.isFleeting, site }))
  }

  app.get('/', async (_, reply) => reply.redirect('/index'))
  const passing = { ...ground.headers, 'cache-control': 'no-store' }
  const missing = flat(passing)
  const away = flat({ ...passing, 'retry-after': '5' })
  for (const address of addresses) {
    const headers = flat({ ...ground.headers, vary: 'Accept-Encoding, Accept-Language, Cookie', 'cache-control': cachingOf(address) })
    const place = { address, headers }
    places.set(address.path, place)
    app.get(address.path, async (request, reply) => {
      const kept = await page(place, request)
      return sendKept(kept, request, reply, kept.status < 400 ? headers : kept.status < 500 ? missing : away)
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send()
    return request.url.startsWith('/api/')
      ? reply.code(404).send({ message: say(languageOf(request.headers['accept-language']), 'base.missing') })
      : reply.redirect('/index')
  })

  return ({ method, url = '', headers }, response) => {
    const origin = ground.publicUrl ?? (ground.isBehindProxy ? null : `http://${headers.host}`)
    const place = places.get(withoutQuery(url))
    if (!place || origin === null || method !== 'GET') return false
    // What the site prefers may have changed since; but then no page is kept any more.
    const kept = cache.get(keyOf(whichPage(place.address, { url, headers, origin }, site)))
    return kept ? sendReady(kept, headers, response, place.headers) : false
  }
}

// Such a page costs a search. Who comes too often gets the frame, and the call that fills it says why it does not.
const often = rateLimiter('fleeting pages', [{ times: 10, seconds: 60, by: 'visitor' }])

async function isTooOften({ isFleeting }: Address, ip: string): Promise<boolean> {
  if (!isFleeting) return false
  try {
    await often(ip, { id: null })
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

type Place = { address: Address; headers: readonly string[] }

function cachingOf({ isPublic, isFleeting }: Address): string {
  return isPublic && !isFleeting ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=60' : 'private, no-cache'
}

function isPublicAt({ isPublic, publicWith }: Address, { asked }: Which): boolean {
  return isPublic && (publicWith === null || new URLSearchParams(asked).has(publicWith))
}

type Wanted = Which & { isPublic: boolean; isFleeting: boolean; site: Site }

async function make({ frontend, read, log }: PageGround, wanted: Wanted): Promise<Made> {
  const { language, layout, origin } = wanted
  const program = await frontend.program()
  const tags = new Set(['setting', 'everything'])
  const query = wanted.asked && `?${wanted.asked}`
  const isShown = wanted.isPublic && layout !== 'closed'
  const rendered = isShown
    ? await noting(tags, () => program.render(`${origin}${wanted.path}${query}`, language, insideApi(read, log)))
    : program.shell(language, layout === 'closed')
  if ('redirect' in rendered)
    return { status: 302, type: 'text/plain; charset=utf-8', body: '', location: rendered.redirect, tags: [...tags] }
  const body = program.documentOf({
    language,
    origin,
    siteTitle: wanted.site.title,
    head: { ...(rendered.head.isPrivate ? {} : { description: wanted.site.description }), ...rendered.head },
    files: frontend.filesFor(rendered.file, language),
    html: rendered.html,
    state: rendered.state,
    structured: rendered.structured,
    isWide: layout === 'wide',
  })
  return { status: rendered.status, type: 'text/html; charset=utf-8', body, tags: [...tags], isFleeting: wanted.isFleeting }
}

/** The API as a page's loaders use it on the server. What it cannot give becomes the router's own answer with a status, and so a page. */
function insideApi(read: ReadInside, log: Log): Api {
  return {
    async read(path, input) {
      try {
        return (await read(path, input as Record<string, unknown>)) as never
      } catch (error) {
        const status = statusOf(error)
        if (status >= 500) log.error({ err: error, path }, 'A page could not be made')
        throw new Response(null, { status })
      }
    },
    write: () => Promise.reject(new Error('Rendering a page writes nothing')),
  }
}

// An address that asks for what cannot be asked leads nowhere.
function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.kind.status
  if (error instanceof z.ZodError) return 404
  return isAway(error) ? 503 : 500
}
