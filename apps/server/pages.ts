import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cookie } from '#base/server/csrf.ts'
import type { Kept, Made, PageCache } from '#base/server/page-cache.ts'
import { Refusal, type Api } from '#base/contract.ts'
import { flat, sendKept } from '#base/server/send-kept.ts'
import type { ReadInside } from '#base/server/serve.ts'
import type { Frontend, Program } from '#apps/server/frontend.ts'
import { languageOf, say, type Language } from '#base/server/words.ts'

export type PageGround = {
  app: FastifyInstance
  frontend: Frontend
  cache: PageCache
  read: ReadInside
  site(): Promise<{ title: string; description: string; defaultLanguage: string; supportAccessDevice: number }>
  publicUrl: string | null
  /** What every answer carries. */
  headers: Record<string, string>
}

type Layout = 'responsive' | 'wide' | 'closed'

/** Serves every address that is not a call or a file: a page kept from before, a page made now, or the way to the index. */
export async function servePages(ground: PageGround): Promise<void> {
  const { app, frontend } = ground
  const { addresses } = await frontend.program()
  app.get('/', async (_, reply) => reply.redirect('/index'))
  for (const address of addresses) {
    const headers = flat({ ...ground.headers, vary: 'Accept-Encoding, Accept-Language, Cookie', 'cache-control': cachingOf(address) })
    app.get(address.path, async (request, reply) => sendKept(await page(ground, address, request), request, reply, headers))
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send()
    return request.url.startsWith('/api/')
      ? reply.code(404).send({ message: say(languageOf(request.headers['accept-language']), 'base.missing') })
      : reply.redirect('/index')
  })
}

type Address = Program['addresses'][number]

function cachingOf({ isPublic }: Address): string {
  return isPublic ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=60' : 'private, no-cache'
}

async function page(ground: PageGround, address: Address, request: FastifyRequest): Promise<Kept> {
  const site = await ground.site()
  const language = languageFor(request, site.defaultLanguage)
  const layout = layoutFor(request, site.supportAccessDevice)
  const origin = ground.publicUrl ?? `${request.protocol}://${request.headers.host}`
  const asked = askedOf(request.url, address.parameters)
  const key = `page ${address.path}?${asked} ${language} ${layout} ${origin}`
  const kept = ground.cache.get(key)
  if (kept) return kept

  const wanted = {
    path: address.path,
    asked,
    language,
    layout,
    origin,
    isPublic: address.isPublic,
    title: site.title,
    description: site.description,
  }
  return ground.cache.make(key, () => make(ground, wanted))
}

/** Only the parameters that make another page, in one order, so that no other can fill the cache. */
function askedOf(url: string, parameters: readonly string[]): string {
  const at = url.indexOf('?')
  if (at < 0 || parameters.length === 0) return ''
  const query = new URLSearchParams(url.slice(at + 1))
  return String(new URLSearchParams(parameters.flatMap((name) => (query.has(name) ? [[name, query.get(name)?.slice(0, 64) ?? '']] : []))))
}

type Wanted = {
  path: string
  asked: string
  language: Language
  layout: Layout
  origin: string
  isPublic: boolean
  title: string
  description: string
}

async function make({ frontend, read }: PageGround, wanted: Wanted): Promise<Made> {
  const { language, layout, origin } = wanted
  const program = await frontend.program()
  const tags = new Set(['setting', 'everything'])
  const query = wanted.asked && `?${wanted.asked}`
  const isShown = wanted.isPublic && layout !== 'closed'
  const rendered = isShown
    ? await program.render(`${origin}${wanted.path}${query}`, language, insideApi(read, tags))
    : program.shell(language, layout === 'closed')
  if ('redirect' in rendered) return { status: 302, type: 'text/plain', body: rendered.redirect, tags: [] }
  const body = program.documentOf({
    language,
    origin,
    siteTitle: wanted.title,
    head: { ...(rendered.head.isPrivate ? {} : { description: wanted.description }), ...rendered.head },
    files: frontend.filesFor(rendered.file),
    html: rendered.html,
    state: rendered.state,
    isWide: layout === 'wide',
  })
  return { status: rendered.status, type: 'text/html; charset=utf-8', body, tags: [...tags] }
}

// The specification's order: what the person chose, what the site prefers, what the browser says.
function languageFor(request: FastifyRequest, siteLanguage: string): Language {
  const chosen = cookie(request.headers.cookie, 'language')
  return languageOf(chosen || siteLanguage || request.headers['accept-language'])
}

const phone = /Mobi|Android|iPhone|iPad|HarmonyOS/i

function layoutFor(request: FastifyRequest, supportAccessDevice: number): Layout {
  const isPhone = phone.test(request.headers['user-agent'] ?? '')
  if (supportAccessDevice === 2) return isPhone ? 'wide' : 'responsive'
  if (supportAccessDevice !== 3 || isPhone) return 'responsive'
  return cookie(request.headers.cookie, 'accessModule') === 'mobile' ? 'responsive' : 'closed'
}

/** The API as a page's loaders use it on the server. A refusal becomes the router's own answer with that status. */
function insideApi(read: ReadInside, tags: Set<string>): Api {
  return {
    async read(path, input) {
      try {
        return (await read(path, input as Record<string, unknown>, tags)) as never
      } catch (error) {
        throw error instanceof Refusal ? new Response(error.kind.code, { status: error.kind.status }) : error
      }
    },
    write: () => Promise.reject(new Error('Rendering a page writes nothing')),
  }
}
