import { createServer } from 'node:http'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Endpoint } from '#base/contract.ts'
import { csrfCookie, type Csrf } from '#base/server/security/csrf.ts'
import { withoutQuery } from '#base/query-string.ts'
import type { Log } from '#base/server/log.ts'
import { callOf } from '#base/server/http/call.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { responseCache } from '#base/server/cache/response-cache.ts'
import { plainIp, readForwarded } from '#base/server/http/network.ts'
import { isLoopback, rateLimiter } from '#base/server/http/rate-limit.ts'
import { refused } from '#base/server/http/refuse.ts'
import type { ReadYourWrites } from '#base/server/database/read-your-writes.ts'
import { largestBody } from '#base/server/http/body-limits.ts'
import { bodyOf, type Body } from '#base/server/http/request.ts'
import { isMember, assertApproved, type SetSecretCookie, type Viewer } from '#base/server/http/route.ts'
import { flat, sendCached, type FastPath } from '#base/server/cache/send-cached.ts'
import { returnUnlessDone, type RateLimitGuard, type Call, type PreparedRoute } from '#base/server/http/serve.ts'
import { writeSecretCookie, writePositionOf, setReadYourWritesCookie, catchUpWithWrites } from '#base/server/http/secret-cookies.ts'
import { listenFirst, type Answered } from '#base/server/http/request-listener.ts'
import { endsConnection } from '#base/server/http/unread-body.ts'
import { streamsOf, type SendStream } from '#base/server/http/stream.ts'
import type { InFlightRequests } from '#base/server/http/in-flight.ts'
import { languageOf, type Language } from '#base/server/words.ts'

export type HttpOptions = {
  servers: readonly PreparedRoute[]
  csrf: Csrf
  cache: PageCache
  log: Log
  /** The viewer of a request. Refuses an expired token, except on routes that treat it as none. */
  authenticate(authorization: string | undefined, allowsExpiredToken: boolean): Promise<Viewer>
  /** The same for reads, from a cache. */
  authenticateForRead(authorization: string | undefined, allowsExpiredToken: boolean): Promise<Viewer>
  /** The same member with current rights while the session lasts, then a visitor. */
  reauthenticate(viewer: Viewer): Promise<Viewer>
  /** The staff member of an administration request. */
  authenticateStaff(cookies: string | undefined): Promise<Viewer>
  /** Refuses calls while the site is closed. The administration is always open. */
  assertSiteOpen?(endpoint: Endpoint, language: Language): Promise<void>
  /** The language of answers for members who ask for this one; staff get the one they ask for. */
  responseLanguage?(language: Language): Promise<Language>
  publicUrl: string | null
  trustProxy: readonly string[]
  /** Headers of API answers. */
  headers: Record<string, string>
  /** Headers of everything else. */
  pageHeaders: Record<string, string>
  /** The audience key of visitors; null until it is loaded. */
  visitorAudience(): string | null
  /** Set if several servers share the database. */
  readYourWrites?: ReadYourWrites | null
  /** Tried before the framework. */
  fastPath: FastPath
  calls?: InFlightRequests | undefined
  /** Called after every answer. */
  answered?: ((answer: Answered) => void) | undefined
}

// Pages make many reads by themselves; a write is somebody's act. A route's own limits come on top.
const perMinute = { GET: 1_200, POST: 600 }

const bodyTypes = [
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
] as const

/** The HTTP side of every call: headers, body, authentication, limits, CSRF, answer. */
export async function openHttp(ground: HttpOptions): Promise<FastifyInstance> {
  const { headers, pageHeaders } = ground
  const sharedHeaders = {
    visitor: flat({ ...headers, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding, Authorization' }),
    member: flat({ ...headers, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Authorization' }),
  }
  const answerKept = responseCache(ground, sharedHeaders.visitor)
  const atOnce: FastPath = (request, response) => ground.fastPath(request, response) || answerKept(request, response)
  const loggerInstance: FastifyBaseLogger = ground.log
  const app = fastify({
    serverFactory: (framework) =>
      createServer({ requestTimeout: 120_000, keepAliveTimeout: 72_000 }, listenFirst({ ...ground, atOnce }, framework)),
    loggerInstance,
    // A logger for each request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ground.trustProxy.length > 0 ? [...ground.trustProxy] : false,
    bodyLimit: largestBody,
    // Requests that arrive during shutdown are still answered.
    return503OnClosing: false,
    // An unreadable address leads where unknown ones do.
    frameworkErrors: (_, __, reply) => void reply.headers(pageHeaders).redirect('/index'),
    routerOptions: { maxParamLength: 200 },
  })
  if (ground.calls) app.addHook('onRoute', ground.calls.watch)
  if (ground.trustProxy.length > 0) app.addHook('onRequest', async ({ raw }) => readForwarded(raw.headers))
  const { readYourWrites: back } = ground
  if (back) app.addHook('onRequest', (request) => catchUpWithWrites(back, request))
  app.addHook('onSend', (request, reply, payload, done) => {
    const its = isCall(request, reply) ? headers : pageHeaders
    for (const [name, value] of Object.entries(its)) if (!reply.hasHeader(name)) reply.header(name, value)
    if (endsConnection(request.raw)) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', async (request, reply) => {
    logLine(ground, request, reply)
    const route = request.routeOptions.url ?? 'none'
    ground.answered?.({ route, method: request.method, status: reply.statusCode, ms: reply.elapsedTime })
  })
  app.removeAllContentTypeParsers()
  for (const [type, as] of bodyTypes)
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer): Promise<Body> => ({ as, bytes }))
  await app.register(multipart)
  app.setErrorHandler((error, request, reply) => answerError(ground, error, request, reply))
  const send = streamsOf(app, ground)
  for (const server of ground.servers) mount(app, { ...ground, sharedHeaders, send }, server)
  return app
}

// The API description for people is a page too.
function isCall({ url }: FastifyRequest, reply: FastifyReply): boolean {
  return url.startsWith('/api/') && !String(reply.getHeader('content-type')).startsWith('text/html')
}

type Mounting = HttpOptions & { send: SendStream; sharedHeaders: { visitor: readonly string[]; member: readonly string[] } }

function mount(app: FastifyInstance, ground: Mounting, server: PreparedRoute): void {
  const { endpoint, uploadBytes, allowsExpiredToken } = server.route
  const often = rateLimiter(`calls of ${endpoint.path}`, [{ times: perMinute[endpoint.method], seconds: 60, by: 'ip' }])
  const isRead = endpoint.method === 'GET'
  const isForStaff = endpoint.path.startsWith('/admin/')
  const who = isRead ? ground.authenticateForRead : ground.authenticate

  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const ip = plainIp(request.ip)
      // On the machine itself all requests may come through one reverse proxy.
      if (!isLoopback(ip)) await often(ip, { id: null })
      const origin = originOf(ground, request)
      const csrf = isRead ? (ground.csrf.held(request.headers) ?? '') : ground.csrf.check(request.headers, origin)
      // Only this call issues the token: of two issued at once, one would replace the other. A closed site issues it too.
      if (endpoint.issuesCsrfToken && !csrf) handToken(ground, request, reply)
      const viewer = await (isForStaff
        ? ground.authenticateStaff(request.headers.cookie)
        : who(request.headers.authorization, allowsExpiredToken ?? false))
      const admit: RateLimitGuard = async () => {
        if (!isForStaff) await ground.assertSiteOpen?.(endpoint, languageOf(request.headers['accept-language']))
        assertApproved(viewer, endpoint)
        const giveBack = await server.limit(ip, viewer)
        await returnUnlessDone(giveBack, async () => server.route.guard(viewer))
        return giveBack
      }
      const setSecretCookie: SetSecretCookie = (secret, what) => writeSecretCookie(reply, { secret, what }, origin)
      const language = await languageFor(ground, request)
      const call = { ...callOf(request, viewer, { ip, csrf, origin, language }, uploadBytes), setSecretCookie }
      if (endpoint.shared) {
        await admit()
        return sendShared(ground, server, call, request, reply)
      }
      if (endpoint.streams) {
        // The token may be renewed meanwhile; the session lasts.
        const viewerNow = () => ground.reauthenticate(viewer)
        return ground.send(request, reply, { begun: await server.begin(call, admit), viewerNow, language })
      }
      const position = isRead ? writePositionOf(request) : null
      const reader = (position !== null && (await ground.readYourWrites?.readerFor(position))) || null
      const answer = await server.answer({ ...call, reader }, admit)
      if (!isRead && ground.readYourWrites) setReadYourWritesCookie(reply, await ground.readYourWrites.position(), origin)
      return reply.header('cache-control', 'private, no-store').type('application/json; charset=utf-8').send(answer)
    },
  })
}

async function sendShared(
  { cache, sharedHeaders }: Mounting,
  server: PreparedRoute,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { key, make } = server.shared(call, bodyOf(request))
  const kept = cache.get(key) ?? (await cache.make(key, make))
  return sendCached(kept, request, reply, isMember(call.viewer) ? sharedHeaders.member : sharedHeaders.visitor)
}

function handToken({ csrf, publicUrl }: HttpOptions, request: FastifyRequest, reply: FastifyReply): void {
  const secure = (publicUrl ?? request.protocol).startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${csrfCookie}=${csrf.make()}; Path=/; SameSite=Lax; Max-Age=31536000${secure}`)
}

function originOf({ publicUrl }: HttpOptions, request: FastifyRequest): string {
  return publicUrl ? new URL(publicUrl).origin : `${request.protocol}://${request.headers.host ?? 'localhost'}`
}

// Reads are many and tell little; writes and errors are worth logging. Addresses are logged without their queries.
function logLine({ log }: HttpOptions, request: FastifyRequest, reply: FastifyReply): void {
  const isPlain = request.method === 'GET' && reply.statusCode < 400
  const line = {
    request: request.id,
    method: request.method,
    path: withoutQuery(request.url),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  }
  if (isPlain) log.debug(line, 'answered')
  else log.info(line, 'answered')
}

async function languageFor({ responseLanguage }: HttpOptions, request: FastifyRequest): Promise<Language> {
  const asked = languageOf(request.headers['accept-language'])
  return responseLanguage && !request.url.startsWith('/api/admin/') ? responseLanguage(asked) : asked
}

async function answerError(ground: HttpOptions, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { log } = ground
  const broken = error instanceof SyntaxError ? Object.assign(error, { statusCode: 400 }) : error
  // The error answer must not fail the same way.
  const language = await languageFor(ground, request).catch(() => languageOf(request.headers['accept-language']))
  const { status, body, headers, isOurFault } = refused(broken, language, request.method)
  if (isOurFault) log.error({ err: error, route: request.routeOptions.url, request: request.id }, 'A request failed')
  reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  return status === 503 ? reply.type('text/plain; charset=utf-8').send(body.message) : reply.send(body)
}
