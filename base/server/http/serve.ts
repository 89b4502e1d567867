import type { Endpoint } from '#base/contract.ts'
import { beginEffects, TooBusy } from '#base/server/call-deadline.ts'
import { responseWriter, checkedWriter } from '#base/server/http/response-writer.ts'
import { isUnavailable, primary, transact, type Database, type Db } from '#base/server/database/database.ts'
import { keyOwner, hashOf, KeyMissing } from '#base/server/http/idempotency.ts'
import { runWithLease, runWithKey, singleFlight } from '#base/server/http/idempotent-execution.ts'
import { lazy } from '#base/lazy.ts'
import type { CounterFactory } from '#base/server/cache/counters.ts'
import { collectCacheTags } from '#base/server/cache/cache-tags.ts'
import type { RenderedResponse } from '#base/server/cache/cached-response.ts'
import { rateLimiter, type ReturnToken } from '#base/server/http/rate-limit.ts'
import { parseInput, type Body } from '#base/server/http/request.ts'
import type {
  RunInSeparateTransaction,
  ClientInfo,
  SetSecretCookie,
  StreamBody,
  Route,
  StreamContext,
  Upload,
  Viewer,
} from '#base/server/http/route.ts'

export type RequestBody = { body: Body; upload: Upload | null }

export type Call = {
  viewer: Viewer
  client: ClientInfo
  /** Reads the body, once it is needed. */
  readBody: () => Promise<RequestBody>
  idempotencyKey: string | null
  setSecretCookie: SetSecretCookie
  /** Overrides the pool that the route reads from. */
  reader?: Db | null
}

/** Checks site state, rights and rate limits, and takes the rate-limit tokens. */
export type RateLimitGuard = () => Promise<ReturnToken>

export type StartedStream = (around: Pick<StreamContext, 'signal' | 'viewerNow'>) => AsyncIterable<string>

/** A route bound to the database and its limits. */
export type PreparedRoute = {
  route: Route
  /** Takes the rate-limit tokens, or refuses. */
  limit(ip: string, viewer: Viewer): Promise<ReturnToken>
  /** For `shared` reads: the cache key of the answer, and the function that makes it. */
  shared(call: Call, body: Body): { key: string; make: () => Promise<RenderedResponse> }
  /** The cache key of a query parsed before, for this audience; null for a new one. */
  keyKnown(query: string, audience: string): string | null
  read(call: Call): Promise<string>
  answer(call: Call, admit: RateLimitGuard): Promise<string>
  /** Begins a streamed answer. The result yields its chunks as JSON. */
  startStream(call: Call, admit: RateLimitGuard): Promise<StartedStream>
}

type ServeOptions = { database: Database; checked: boolean; counterFor?: CounterFactory | undefined }
type ParsedQuery = { input: string; tags: readonly string[] }
type Text = (answer: unknown) => string
type PreparedWrite = { admit: RateLimitGuard; ready: () => Promise<(tx: Db) => Promise<string>> }

const maxParsedQueries = 5_000

/** Binds a route to the database: a read gets the read-only pool; a write gets one transaction, once per idempotency key. */
export function prepareRoute(route: Route, { database, checked, counterFor }: ServeOptions): PreparedRoute {
  const { endpoint } = route
  const write = checked ? checkedWriter(endpoint.path, endpoint.output) : responseWriter(endpoint.output)
  const limit = rateLimiter(endpoint.path, route.limits ?? [], counterFor)
  const runWrite = idempotentWrite(route, database)

  async function prepare({ viewer, client, setSecretCookie, idempotencyKey }: Call, readInput: ReadInput, text: Text = write) {
    const who = route.guard(viewer)
    const { input, upload } = await readInput()
    const inSeparateTransaction: RunInSeparateTransaction = (work) => transact(database, work)
    // The reader may not select passwords, which a write may compare before its transaction.
    const db = endpoint.method === 'POST' ? database.app : database.reader
    const prepared = await beginWork(route, { db, viewer: who, input, client, upload, inSeparateTransaction, idempotencyKey } as never)
    return async (db: Db) => text((await route.handler({ db, viewer: who, input, client, setSecretCookie, prepared } as never)) ?? {})
  }

  async function read(call: Call): Promise<string> {
    const work = await prepare(call, inputReader(endpoint, call))
    const reader = call.reader ?? database.reader
    try {
      return await work(reader)
    } catch (error) {
      // A read that lost its replica is repeated on the primary. One that waited for a connection has no more time.
      if (!isUnavailable(error) || error instanceof TooBusy || primary(reader) === reader) throw error
      return work(primary(reader))
    }
  }

  async function answer(call: Call, admit: RateLimitGuard): Promise<string> {
    if (endpoint.method === 'GET') return withRateLimit(admit, () => read(call))
    const readInput = inputReader(endpoint, call)
    return runWrite(call, readInput, { admit, ready: () => prepare(call, readInput) })
  }

  // Chunks are not stored: a repeated request is refused as done already.
  async function begin(call: Call, admit: RateLimitGuard): Promise<StartedStream> {
    const readInput = inputReader(endpoint, call)
    let begun: StreamBody<unknown> | null = null
    const keep = (pieces: unknown) => {
      begun = pieces as StreamBody<unknown>
      return ''
    }
    await runWrite(call, readInput, { admit, ready: () => prepare(call, readInput, keep) })
    return async function* (around) {
      for await (const piece of begun?.({ ...around, database }) ?? []) yield write(piece)
    }
  }

  return { route, limit, ...sharedReads(route, read), read, answer, startStream: begin }
}

// Effects of what comes before the transaction stay.
async function beginWork({ prepare, mayPrepareAgain }: Route, context: never): Promise<unknown> {
  if (prepare && !mayPrepareAgain) beginEffects()
  return prepare?.(context)
}

/** Runs a write in one transaction, once per idempotency key. */
function idempotentWrite(route: Route, database: Database) {
  const { endpoint, requiresIdempotencyKey, prepare, secret } = route
  const runOnce = singleFlight(database.app)

  async function runUnkeyed(readInput: ReadInput, ready: PreparedWrite['ready']): Promise<string> {
    const isRequired =
      typeof requiresIdempotencyKey === 'function'
        ? requiresIdempotencyKey((await readInput()).input as never, database.app)
        : requiresIdempotencyKey
    if (isRequired) throw KeyMissing()
    return transact(database, await ready())
  }

  return async ({ viewer, client, idempotencyKey: key }: Call, readInput: ReadInput, { admit, ready }: PreparedWrite): Promise<string> => {
    if (key === null) return withRateLimit(admit, () => runUnkeyed(readInput, ready))
    const hash = lazy(async () => hashOf(endpoint.path, await readInput()))
    const request = { owner: keyOwner(viewer, client, key), key, route: endpoint.path, hash }
    const work = { request, ready, isSecret: secret ?? endpoint.streams ?? false, storesRefusals: requiresIdempotencyKey === true }
    const doOnce = prepare && !route.mayPrepareAgain ? runWithLease : runWithKey
    const run = () => doOnce(database, work)
    return runOnce(request, () => withRateLimit(admit, () => runQueued(route, { db: database.app, viewer, taken: readInput }, run)))
  }
}

/** The cached side of `shared` reads. */
function sharedReads(route: Route, read: PreparedRoute['read']): Pick<PreparedRoute, 'shared' | 'keyKnown'> {
  const queries = queryParser(route)

  function shared(call: Call, body: Body) {
    const { input, tags } = queries.of(body)
    async function make(): Promise<RenderedResponse> {
      const cacheTags = new Set(tags)
      const its = await collectCacheTags(cacheTags, () => read(call))
      return { status: 200, type: 'application/json; charset=utf-8', body: its, tags: [...cacheTags] }
    }
    return { key: keyOf(route.endpoint, input, call.viewer.audience), make }
  }

  function keyKnown(query: string, audience: string): string | null {
    const parsed = queries.known(query)
    return parsed ? keyOf(route.endpoint, parsed.input, audience) : null
  }

  return { shared, keyKnown }
}

type ReadInput = () => Promise<{ input: unknown; upload: Upload | null }>

function inputReader(endpoint: Endpoint, { readBody }: Call): ReadInput {
  return lazy(async () => {
    const { body, upload } = await readBody()
    return { input: parseInput(endpoint, body), upload }
  })
}

type QueueContext = { db: Db; viewer: Viewer; taken: ReadInput }

async function runQueued({ queue, guard }: Route, { db, viewer, taken }: QueueContext, run: () => Promise<string>): Promise<string> {
  if (!queue) return run()
  const { input } = await taken()
  return queue({ db, viewer: guard(viewer), input } as never, run)
}

async function withRateLimit(admit: RateLimitGuard, work: () => Promise<string>): Promise<string> {
  return withTokenReturn(await admit(), work)
}

/** Returns the tokens of failed work, if the limit says so. */
export async function withTokenReturn<T>(returnToken: ReturnToken, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await returnToken()
    throw error
  }
}

function keyOf({ path }: Endpoint, input: string, audience: string): string {
  return `${path} ${audience} ${input}`
}

/** Parses queries and memoizes the result, because the same ones come again and again. */
function queryParser(route: Route) {
  const known = new Map<string, ParsedQuery>()

  function of(body: Body): ParsedQuery {
    const text = body.as === 'query' && body.text.length < 200 ? body.text : null
    const before = text === null ? undefined : known.get(text)
    if (before) return before
    const input = parseInput(route.endpoint, body)
    const parsed = { input: JSON.stringify(input), tags: route.cacheTags?.(input as never) ?? [] }
    if (known.size >= maxParsedQueries) known.clear()
    if (text !== null) known.set(text, parsed)
    return parsed
  }

  return { of, known: (query: string) => known.get(query) }
}
