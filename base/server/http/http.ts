import { createServer } from 'node:http'
import multipart from '@fastify/multipart'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { liftCallDeadline, withCallDeadline } from '#base/server/call-deadline.ts'
import { admission, networkLimit, type AssertSiteOpen } from '#base/server/http/admission.ts'
import { csrfCookie, type Csrf } from '#base/server/security/csrf.ts'
import { withoutQuery } from '#base/query-string.ts'
import type { Log } from '#base/server/log.ts'
import { toCall } from '#base/server/http/call.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { cachedReadPath, type SharedHeaders } from '#base/server/cache/response-cache.ts'
import { localCalls, type LocalCalls } from '#base/server/http/local-call.ts'
import { normalizeIp, sanitizeForwarded } from '#base/server/http/network.ts'
import { errorAnswer } from '#base/server/http/refuse.ts'
import type { ReadYourWrites } from '#base/server/database/read-your-writes.ts'
import { largestBody } from '#base/server/http/body-limits.ts'
import { rawBodyOf, type Body } from '#base/server/http/request.ts'
import { isMember, type SetSecretCookie, type Viewer } from '#base/server/http/route.ts'
import { flattenHeaders, sendCached, type FastPath } from '#base/server/cache/send-cached.ts'
import type { Call, PreparedRoute } from '#base/server/http/serve.ts'
import { writeSecretCookie, writePositionOf, setReadYourWritesCookie, catchUpWithWrites } from '#base/server/http/secret-cookies.ts'
import { requestListener, type AnswerMetrics } from '#base/server/http/request-listener.ts'
import { shouldCloseConnection } from '#base/server/http/unread-body.ts'
import { eventStreamSender, type SendStream } from '#base/server/http/stream.ts'
import type { InFlightRequests } from '#base/server/http/in-flight.ts'
import { currentTracer } from '#base/server/tracing/trace.ts'
import { languageOf, type Language } from '#base/server/words.ts'

export type HttpOptions = {
  routes: readonly PreparedRoute[]
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
  assertSiteOpen?: AssertSiteOpen
  /** The language of answers for members who ask for this one; staff get the one they ask for. */
  responseLanguage?(language: Language): Promise<Language>
  publicUrl: string | null
  trustProxy: readonly string[]
  /** Headers of API answers. */
  headers: Record<string, string>
  /** Headers of everything else. */
  pageHeaders: Record<string, string>
  /** The audience key of visitors, or of the member whose token this is; null until it is loaded. */
  cachedAudience(authorization: string | undefined): string | null
  /** Set if several servers share the database. */
  readYourWrites?: ReadYourWrites | null
  /** Tried before the framework. */
  fastPath: FastPath
  inFlight?: InFlightRequests | undefined
  /** Called after every answer. */
  onAnswer?: ((answer: AnswerMetrics) => void) | undefined
}

const bodyTypes = [
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
] as const

/** The HTTP side of every call: headers, body, authentication, limits, CSRF, answer. */
export async function openHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { headers, pageHeaders, readYourWrites } = options
  const sharedHeaders = {
    visitor: flattenHeaders({ ...headers, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding, Authorization' }),
    member: flattenHeaders({ ...headers, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Authorization' }),
  }
  const answerCached = cachedReadPath(options, sharedHeaders)
  const atOnce: FastPath = (request, response) => options.fastPath(request, response) || answerCached(request, response)
  const loggerInstance: FastifyBaseLogger = options.log
  const local = localCalls(() => options.log.warn('A proxy passes on calls: until the next start no call counts as one of this machine'))
  const listener = { ...options, fastPath: atOnce, observe: local.observe }
  const app = fastify({
    serverFactory: (framework) => createServer({ requestTimeout: 120_000, keepAliveTimeout: 72_000 }, requestListener(listener, framework)),
    loggerInstance,
    // A logger for each request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: largestBody,
    // Requests that arrive during shutdown are still answered.
    return503OnClosing: false,
    // An unreadable address leads where unknown ones do.
    frameworkErrors: (_, __, reply) => void reply.headers(pageHeaders).redirect('/index'),
    routerOptions: { maxParamLength: 200 },
  })
  app.addHook('onRoute', setDeadline)
  if (options.inFlight) app.addHook('onRoute', options.inFlight.watch)
  if (options.trustProxy.length > 0) app.addHook('onRequest', async ({ raw }) => sanitizeForwarded(raw.headers))
  if (readYourWrites) app.addHook('onRequest', (request) => catchUpWithWrites(readYourWrites, request))
  app.addHook('onSend', (request, reply, payload, done) => {
    const its = showsNothing(request, reply) ? headers : pageHeaders
    for (const [name, value] of Object.entries(its)) if (!reply.hasHeader(name)) reply.header(name, value)
    if (shouldCloseConnection(request.raw)) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', async (request, reply) => {
    logAnswer(options, request, reply)
    const route = request.routeOptions.url ?? 'none'
    currentTracer()?.nameRequest(request.raw, route)
    options.onAnswer?.({ route, method: request.method, status: reply.statusCode, ms: reply.elapsedTime })
  })
  app.removeAllContentTypeParsers()
  for (const [type, as] of bodyTypes)
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer): Promise<Body> => ({ as, bytes }))
  await app.register(multipart)
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply))
  const send = eventStreamSender(app, options)
  for (const server of options.routes) mount(app, { ...options, sharedHeaders, send, local }, server)
  return app
}

function setDeadline(route: RouteOptions): void {
  const { handler } = route
  route.handler = function answered(request, reply) {
    return withCallDeadline((): unknown => handler.call(this, request, reply))
  }
}

// An answer of a call, a script or a style sheet is never a document. The API description for people is a page too.
function showsNothing({ url }: FastifyRequest, reply: FastifyReply): boolean {
  if (/^(\/admin)?\/assets\//.test(url)) return reply.statusCode < 300
  return url.startsWith('/api/') && !String(reply.getHeader('content-type')).startsWith('text/html')
}

type MountOptions = HttpOptions & { send: SendStream; sharedHeaders: SharedHeaders; local: LocalCalls }

function mount(app: FastifyInstance, options: MountOptions, server: PreparedRoute): void {
  const { endpoint, uploadBytes, allowsExpiredToken } = server.route
  const limitNetwork = networkLimit(`calls of ${endpoint.path}`, endpoint.method)
  const isRead = endpoint.method === 'GET'
  const isForStaff = endpoint.path.startsWith('/admin/')
  const authenticate = isRead ? options.authenticateForRead : options.authenticate

  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    exposeHeadRoute: false,
    async handler(request, reply) {
      if (uploadBytes || endpoint.streams) liftCallDeadline()
      const ip = normalizeIp(request.ip)
      await limitNetwork(ip)
      const origin = originOf(options, request)
      const csrf = isRead ? (options.csrf.tokenOf(request.headers) ?? '') : options.csrf.check(request.headers, origin)
      // Only this call issues the token: of two issued at once, one would replace the other. A closed site issues it too.
      if (endpoint.issuesCsrfToken && !csrf) setCsrfCookie(options, request, reply)
      const viewer = await (isForStaff
        ? options.authenticateStaff(request.headers.cookie)
        : authenticate(request.headers.authorization, allowsExpiredToken ?? false))
      const asked = languageOf(request.headers['accept-language'])
      const admit = admission(server, { viewer, client: { ip, language: asked } }, options.assertSiteOpen)
      const setSecretCookie: SetSecretCookie = (secret, what) => writeSecretCookie(reply, { secret, kind: what }, origin)
      const language = await answerLanguage(options, request)
      const clientInfo = { ip, isLocal: options.local.isLocal(request.raw), csrf, origin, language }
      const call = { ...toCall(request, viewer, clientInfo, uploadBytes), setSecretCookie }
      if (endpoint.shared) {
        await admit()
        return sendShared(options, server, call, request, reply)
      }
      if (endpoint.streams) {
        // The token may be renewed meanwhile; the session lasts.
        const viewerNow = () => options.reauthenticate(viewer)
        return options.send(request, reply, { start: await server.startStream(call, admit), viewerNow, language })
      }
      const position = isRead ? writePositionOf(request) : null
      const reader = (position !== null && (await options.readYourWrites?.readerFor(position))) || null
      const answer = await server.answer({ ...call, reader }, admit)
      if (!isRead) setReadYourWritesCookie(reply, await options.readYourWrites?.position(), origin)
      return reply.header('cache-control', 'private, no-store').type('application/json; charset=utf-8').send(answer)
    },
  })
}

async function sendShared(
  { cache, sharedHeaders }: MountOptions,
  server: PreparedRoute,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { key, make } = server.shared(call, rawBodyOf(request))
  const cached = cache.get(key) ?? (await cache.make(key, make))
  return sendCached(cached, request, reply, isMember(call.viewer) ? sharedHeaders.member : sharedHeaders.visitor)
}

function setCsrfCookie({ csrf, publicUrl }: HttpOptions, request: FastifyRequest, reply: FastifyReply): void {
  const secure = (publicUrl ?? request.protocol).startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${csrfCookie}=${csrf.make()}; Path=/; SameSite=Lax; Max-Age=31536000${secure}`)
}

function originOf({ publicUrl }: HttpOptions, request: FastifyRequest): string {
  return publicUrl ? new URL(publicUrl).origin : `${request.protocol}://${request.headers.host ?? 'localhost'}`
}

// Reads are many and tell little; writes and errors are worth logging. Addresses are logged without their queries.
function logAnswer({ log }: HttpOptions, request: FastifyRequest, reply: FastifyReply): void {
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

async function answerLanguage({ responseLanguage }: HttpOptions, request: FastifyRequest): Promise<Language> {
  const preferred = languageOf(request.headers['accept-language'])
  return responseLanguage && !request.url.startsWith('/api/admin/') ? responseLanguage(preferred) : preferred
}

async function answerError(options: HttpOptions, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { log } = options
  const broken = error instanceof SyntaxError ? Object.assign(error, { statusCode: 400 }) : error
  // The error answer must not fail the same way.
  const language = await answerLanguage(options, request).catch(() => languageOf(request.headers['accept-language']))
  const { status, body, headers, isOurFault } = errorAnswer(broken, language, request.method)
  if (isOurFault) log.error({ err: error, route: request.routeOptions.url, request: request.id }, 'A request failed')
  reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  return status === 503 ? reply.type('text/plain; charset=utf-8').send(body.message) : reply.send(body)
}
