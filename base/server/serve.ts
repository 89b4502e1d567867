import type { Endpoint } from '#base/contract.ts'
import { answerWriter, checkedWriter } from '#base/server/answer.ts'
import { transact, type Database, type Db } from '#base/server/database.ts'
import { claim, once, type OnceOnly } from '#base/server/idempotency.ts'
import { note, noting } from '#base/server/made-of.ts'
import type { Made, PageCache } from '#base/server/page-cache.ts'
import { rateLimiter, type GiveBack } from '#base/server/rate-limit.ts'
import { inputOf, type Body } from '#base/server/request.ts'
import { isMember, type Apart, type From, type Keep, type Route, type Upload, type Viewer } from '#base/server/route.ts'

export type Call = {
  viewer: Viewer
  from: From
  body: Body
  upload: Upload | null
  idempotencyKey: string | null
  keep: Keep
}

/** A route made ready to answer. */
export type Server = {
  route: Route
  /** Refuses an asker who comes too often. */
  limit(ip: string, viewer: Viewer): Promise<GiveBack>
  /** For `shared` reads: under which key the answer is kept, and how to make it. */
  shared(call: Call): { key: string; make: () => Promise<Made> }
  /** The key of a query that was asked before, for those who see this; null for one that was not. */
  keyKnown(query: string, sees: string): string | null
  answer(call: Call): Promise<string>
}

type Ground = { database: Database; checked: boolean }
type Asked = { input: string; tags: readonly string[] }

const mostKnown = 5_000

/** Joins a route to the database: a read gets the read-only pool, a write gets one transaction, done once for its key. */
export function serve(route: Route, { database, checked }: Ground): Server {
  const { endpoint } = route
  const write = checked ? checkedWriter(endpoint.path, endpoint.gives) : answerWriter(endpoint.gives)
  const limit = rateLimiter(endpoint.path, route.limits ?? [])
  const asks = asksOf(route)

  async function ready({ viewer, from, body, upload, keep }: Call) {
    const who = route.gate(viewer)
    const input = inputOf(endpoint, body)
    const apart: Apart = (deed) => transact(database, deed)
    const prepared = await route.prepare?.({ db: database.reader, viewer: who, input, from, upload, apart } as never)
    return (db: Db) => route.answer({ db, viewer: who, input, from, keep, prepared } as never)
  }

  async function answer(call: Call): Promise<string> {
    if (endpoint.method === 'GET') return write(await (await ready(call))(database.reader))
    const request = onceOnly(endpoint, call)
    return request ? once(database.app, request, () => change(call, request)) : change(call, null)
  }

  async function change(call: Call, request: OnceOnly | null): Promise<string> {
    const act = await ready(call)
    async function deed(tx: Db): Promise<string> {
      const given = write(await act(tx))
      if (request) await claim(tx, request, route.secret ? null : given)
      return given
    }
    return transact(database, deed, { harmless: request !== null })
  }

  function shared(call: Call) {
    const { input, tags } = asks.of(call.body)
    const key = keyOf(endpoint, input, call.viewer.sees)
    async function make(): Promise<Made> {
      const madeOf = new Set(tags)
      const body = await noting(madeOf, () => answer(call))
      return { status: 200, type: 'application/json; charset=utf-8', body, tags: [...madeOf] }
    }
    return { key, make }
  }

  function keyKnown(query: string, sees: string): string | null {
    const asked = asks.known(query)
    return asked ? keyOf(endpoint, asked.input, sees) : null
  }

  return { route, limit, shared, keyKnown, answer }
}

function onceOnly({ path }: Endpoint, { idempotencyKey: key, viewer, from, body }: Call): OnceOnly | null {
  if (key === null) return null
  const asker = isMember(viewer) ? `member ${viewer.id}` : `visitor ${from.csrf}`
  return { asker, key, route: path, body: body.text }
}

function keyOf({ path }: Endpoint, input: string, sees: string): string {
  return `${path} ${sees} ${input}`
}

/** What addresses ask: worked out once, for the same ones come again and again. */
function asksOf(route: Route) {
  const known = new Map<string, Asked>()

  function of(body: Body): Asked {
    const isAddress = body.json === null && body.text.length < 200
    const before = isAddress ? known.get(body.text) : undefined
    if (before) return before
    const input = inputOf(route.endpoint, body)
    const asked = { input: JSON.stringify(input), tags: route.madeOf?.(input as never) ?? [] }
    if (known.size >= mostKnown) known.clear()
    if (isAddress) known.set(body.text, asked)
    return asked
  }

  return { of, known: (query: string) => known.get(query) }
}

/** A read made by the server itself, as a visitor, when it renders a page. Notes what the answer is made of. */
export type ReadInside = (path: string, input: Record<string, unknown>) => Promise<unknown>

export function inProcess(servers: readonly Server[], cache: PageCache, visitor: () => Promise<Viewer>): ReadInside {
  const reads = new Map(
    servers.filter(({ route }) => route.endpoint.method === 'GET').map((server) => [server.route.endpoint.path, server]),
  )
  return async (path, input) => {
    const server = reads.get(path)
    if (!server) throw new Error(`There is no read at ${path}`)
    const call: Call = {
      viewer: await visitor(),
      from: inside,
      body: { text: '', fields: null, json: input },
      upload: null,
      idempotencyKey: null,
      keep: () => undefined,
    }
    if (!server.route.endpoint.shared) return JSON.parse(await server.answer(call))

    const { key, make } = server.shared(call)
    const kept = cache.get(key) ?? (await cache.make(key, make))
    note(kept.tags)
    return JSON.parse(kept.body.toString())
  }
}

const inside: From = { origin: '', ip: '127.0.0.1', language: 'en', userAgent: '', authorization: undefined, csrf: '' }
