import { LRUCache } from 'lru-cache'
import { escapeJson } from '#base/escape.ts'
import type { Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { CachedResponse } from '#base/server/cache/cached-response.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import type { Body } from '#base/server/http/request.ts'
import type { ClientInfo, Viewer } from '#base/server/http/route.ts'
import type { Call, PreparedRoute } from '#base/server/http/serve.ts'

type InProcessOptions = { cache: PageCache; visitor: () => Promise<Viewer>; reader: Db }
type Answer = { cached: CachedResponse; value: unknown }

/** A read by the server itself, as a visitor, while it renders a page. Adds the cache tags of the answer. The answer is never changed. */
export type ReadInProcess = (path: string, input: Record<string, unknown>) => Promise<unknown>

// The answers that most pages show: settings, tags, hot topics.
const maxParsed = 32
const texts = new WeakMap<object, string>()

/** The JSON of an answer of a read in process, or of its only field, escaped for a script element. */
export function answerText(answer: object): string | undefined {
  return texts.get(answer)
}

export function inProcessReader(servers: readonly PreparedRoute[], { cache, visitor, reader }: InProcessOptions): ReadInProcess {
  const reads = new Map(
    servers.filter(({ route }) => route.endpoint.method === 'GET').map((server) => [server.route.endpoint.path, server]),
  )
  const parsedAgain = new LRUCache<string, Answer>({ max: maxParsed })

  return async (path, input) => {
    const server = reads.get(path)
    if (!server) throw new Error(`There is no read at ${path}`)
    const body: Body = { as: 'values', values: input }
    const call: Call = {
      viewer: await visitor(),
      client: internalClient,
      readBody: async () => ({ body, upload: null }),
      idempotencyKey: null,
      setSecretCookie: () => undefined,
      reader,
    }
    if (!server.route.endpoint.shared) return parsed(await server.read(call))

    const { key, make } = server.shared(call, body)
    const before = cache.get(key)
    const cached = before ?? (await cache.make(key, make))
    addCacheTags(cached.tags)
    const known = parsedAgain.get(key)
    if (known?.cached === cached) return known.value
    const value = parsed(cached.text())
    if (before) parsedAgain.set(key, { cached, value })
    return value
  }
}

function parsed(text: string): unknown {
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null) return answer
  const block = escapeJson(text)
  texts.set(answer, block)
  const [only, ...others] = Object.entries(answer)
  if (only && others.length === 0 && typeof only[1] === 'object' && only[1]) texts.set(only[1], block.slice(only[0].length + 4, -1))
  return answer
}

const internalClient: ClientInfo = {
  origin: '',
  ip: '127.0.0.1',
  isLocal: false,
  language: 'en',
  userAgent: '',
  authorization: undefined,
  csrf: '',
}
