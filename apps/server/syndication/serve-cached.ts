import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { collectCacheTags } from '#base/server/cache/cache-tags.ts'
import type { RenderedResponse } from '#base/server/cache/cached-response.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { ownOrigin } from '#base/server/http/origin.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { flattenHeaders, sendCached } from '#base/server/cache/send-cached.ts'
import { answerLanguage } from '#base/language.ts'
import { languageOf, type Language } from '#base/server/words.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export type SyndicationOptions = {
  app: FastifyInstance
  cache: PageCache
  db: Db
  /** Everything here is rendered as a visitor sees it. */
  visitor(): Promise<Viewer>
  publicUrl: string | null
  /** Headers of every answer. */
  headers: Record<string, string>
}

export type SyndicationContext<In> = { db: Db; viewer: Viewer; origin: string; settings: Settings; language: Language; input: In }

type CachedDocument<In extends z.ZodType> = {
  /** The schema of the query and the path parameters. Unknown parameters are dropped, so that they cannot fill the cache. */
  takes: In
  /** Cache tags besides those added while it is rendered. */
  cacheTags: readonly string[]
  /** The max-age for other caches. */
  seconds: number
  /** Contains texts of ours, so it differs by language. */
  isWorded?: boolean
  /** The rate limit per address. */
  timesAMinute: number
  /** Null for not found. */
  make(asked: SyndicationContext<z.output<In>>): Promise<Pick<RenderedResponse, 'type' | 'body'> | null>
}

/** Serves an address from the cache: rendered once for all, until one of its cache tags is invalidated. */
export function serveCached<In extends z.ZodType>(
  options: SyndicationOptions,
  path: string,
  { takes, cacheTags, seconds, isWorded = false, timesAMinute, make }: CachedDocument<In>,
): void {
  const { app, cache, db, visitor, publicUrl } = options
  const headersWith = (vary: string) => {
    const all = (caching: string) => flattenHeaders({ ...options.headers, vary, 'cache-control': caching })
    return { elsewhere: all(cacheControlFor(seconds)), nowhere: all('private, no-store') }
  }
  const [forAll, byReader] = [headersWith('Accept-Encoding'), headersWith('Accept-Encoding, Accept-Language')]
  const often = rateLimiter(path, [{ times: timesAMinute, seconds: 60, by: 'ip' }])

  app.get(path, async (request, reply) => {
    await setting.assertSiteOpen(db, { availableWhile: 'readOnly' }, languageOf(request.headers['accept-language']))
    const viewer = await visitor()
    await often(request.ip, viewer)
    const input = parseInput(takes, request)
    const own = ownOrigin(publicUrl, request.raw)
    const origin = own ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`
    const settings = await setting.all(db)
    const language = isWorded ? answerLanguage(null, request.headers['accept-language'] ?? null, settings) : 'zh'
    const isByReader = isWorded && settings.defaultLanguage === ''
    const key = `${path} ${JSON.stringify(input)} ${language} ${viewer.audience} ${origin}`
    const cached = cache.get(key) ?? (await cache.make(key, madeNow))
    const { elsewhere, nowhere } = isByReader ? byReader : forAll
    return sendCached(cached, request, reply, own === null ? nowhere : elsewhere)

    async function madeNow(): Promise<RenderedResponse> {
      const tags = new Set(['setting', 'everything', 'tags', ...cacheTags])
      const rendered = await collectCacheTags(tags, async () =>
        make({ db, viewer, origin, settings: await setting.all(db), language, input }),
      )
      if (!rendered) throw Missing()
      // A made-up host would fill the cache, and mislead readers if a proxy shared the answer.
      return { status: 200, ...rendered, isDense: typeof rendered.body !== 'string', tags: [...tags], isUncacheable: own === null }
    }
  })
}

function parseInput<In extends z.ZodType>(takes: In, { query, params }: FastifyRequest): z.output<In> {
  const parsed = takes.safeParse({ ...(query as object), ...(params as object) })
  if (!parsed.success) throw Missing()
  return parsed.data
}

// Content removed from the site may be cached elsewhere for so long.
function cacheControlFor(seconds: number): string {
  return `public, max-age=${seconds}, stale-while-revalidate=60`
}
