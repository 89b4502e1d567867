import type { FastifyInstance } from 'fastify'
import { serveDocs } from '#apps/server/api-docs.ts'
import { fileAccess } from '#apps/server/file-access.ts'
import { serveAdministration } from '#apps/server/administration.ts'
import type { Endpoint } from '#base/contract.ts'
import type { Language } from '#base/server/words.ts'
import { features, routes, streams } from '#apps/server/features.ts'
import type { Frontend } from '#apps/server/frontend.ts'
import { examineForum } from '#apps/server/doctor/examine.ts'
import { serveProbes } from '#apps/server/doctor/probe.ts'
import { HtmlMemo } from '#apps/server/html-memo.ts'
import { serveHealth } from '#apps/server/health.ts'
import { whoseRights } from '#apps/server/whose-rights.ts'
import { metricsFor, type Metrics } from '#apps/server/metrics.ts'
import { servePages } from '#apps/server/pages.ts'
import { loadSecrets } from '#apps/server/secrets.ts'
import { setEnvironment } from '#apps/server/setting-problems.ts'
import type { SyndicationOptions as Syndicated } from '#apps/server/syndication/serve-cached.ts'
import { serveSyndication } from '#apps/server/syndication/serve.ts'
import type { Config } from '#base/server/config.ts'
import { openCounters, type Counters } from '#base/server/cache/counters.ts'
import { entriesToDrop } from '#base/server/cache/invalidation.ts'
import { collect } from '#base/server/feature.ts'
import { csrfGuard } from '#base/server/security/csrf.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { startWriteBehind } from '#base/server/cache/write-behind.ts'
import { callHeaders, securityHeaders } from '#base/server/http/headers.ts'
import { mountWebhooks } from '#base/server/http/webhook.ts'
import { openHttpServer } from '#base/server/http/http.ts'
import { serveLive } from '#base/server/live/live.ts'
import type { Log } from '#base/server/log.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'
import { readYourWrites } from '#base/server/database/read-your-writes.ts'
import type { AnswerMetrics } from '#base/server/http/request-listener.ts'
import { secretOf } from '#base/server/security/secret.ts'
import type { FastPath } from '#base/server/cache/send-cached.ts'
import { isMember, type Route, type Viewer } from '#base/server/http/route.ts'
import { inProcessCalls, type InProcessCalls } from '#base/server/http/call-in-process.ts'
import { inProcessReader } from '#base/server/http/read-in-process.ts'
import { prepareRoute, type PreparedRoute } from '#base/server/http/serve.ts'
import { inFlightRequests, type InFlightRequests } from '#base/server/http/in-flight.ts'
import { ownerOfSession } from '#account/server/session-owner.ts'
import * as token from '#account/server/token.ts'
import * as file from '#file/server/routes.ts'
import { lookRoutes } from '#look/server/serve-look.ts'
import { serveMcp } from '#mcp/server/mcp.ts'
import { serveOneClick } from '#notification/server/unsubscribe.ts'
import * as backup from '#maintenance/server/download.ts'
import * as importer from '#importer/server/old-address.ts'
import { openDoctor } from '#maintenance/server/doctor.ts'
import { openMaintenance } from '#maintenance/server/maintenance.ts'
import { openSearch } from '#search/server/engine-in-use.ts'
import * as setting from '#setting/server/setting.ts'
import { recordAnswer } from '#statistic/server/answer-times.ts'
import * as staffSession from '#staff/server/session.ts'

const pageCacheBytes = 64 * 1024 * 1024
const htmlMemoBytes = 16 * 1024 * 1024

type AppOptions = {
  config: Config
  database: Database
  log: Log
  /** The frontend that renders pages; without it there is the API alone. */
  openFrontend?: (app: FastifyInstance) => Promise<Frontend>
  checked?: boolean
  /** The size of the page cache in bytes; 0 renders each page anew. */
  cacheBytes?: number
  /** The interval at which buffered updates are written. */
  gatherSeconds?: number | undefined
}

/** The whole program on one database, not yet listening. */
export async function openApp(parts: AppOptions): Promise<FastifyInstance> {
  const started: FastifyInstance[] = []
  try {
    return await open(parts, (app) => started.push(app))
  } catch (error) {
    // A part of it may run already.
    await Promise.all(started.map((app) => app.close()))
    throw error
  }
}

async function open(
  { config, database, log, openFrontend, checked = config.development, cacheBytes = pageCacheBytes, gatherSeconds }: AppOptions,
  begin: (app: FastifyInstance) => void,
): Promise<FastifyInstance> {
  const cache = new PageCache(cacheBytes, () => log.warn('The database is away: what was kept is sent as it was before'))
  database.invalidations.on((tags) => cache.drop(entriesToDrop(tags)))
  await loadSecrets({ config, database, log })
  const { pageHeaders, headers } = headersFor(config)
  const metrics = metricsFor(config.metricsToken)
  const counters = openCounters(config, database.app, log)
  const [servers, calls, auth] = [prepareRoutes(database, { checked, ...counters }), inFlightRequests(), authentication(database)]
  let atOnce: FastPath = () => false
  const app = await openHttpServer({
    routes: servers,
    cache,
    log,
    csrf: csrfGuard(await secretOf(database.app, 'csrf')),
    ...auth,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    headers,
    pageHeaders,
    readYourWrites: config.databaseUrl ? readYourWrites(database) : null,
    inFlight: calls,
    fastPath: (request, response) => atOnce(request, response),
    onAnswer: answerListener(database.app, metrics),
  })
  begin(app)
  const listening = serveLive(app, { sources: streams, database, headers, authenticate: auth.listens, affectedBy: whoseRights })
  metrics?.serve(app, { database, cache, dataDir: config.dataDir, openStreams: listening })
  openMaintenance({ config, database, cache })
  serveProbes(app, { config, database, headers })
  openDoctor((pools) => examineForum(config, pools))
  backup.serveBackups(app, { db: database.reader, dataDir: config.dataDir, authenticateStaff: auth.authenticateStaff })
  const visitor = () => token.visitor(database.app)
  const inProcess = inProcessCalls(servers, auth.assertSiteOpen)
  await serveOtherRoutes({ app, config, database, log, cache, headers: pageHeaders, visitor, calls: inProcess, ...counters })
  app.addHook('onClose', startBackgroundWork({ config, database, log, gatherSeconds, counters }, calls))
  if (openFrontend) {
    const [frontend, site] = [await openFrontend(app), () => setting.all(database.primaryReader)]
    const ground = { app, frontend, headers: pageHeaders, site }
    serveAdministration(app, ground)
    const read = inProcessReader(servers, { cache, visitor, reader: database.primaryReader })
    const newAddressOf = (url: string) => importer.newAddressOf(database.reader, url)
    atOnce = await servePages({ ...ground, ...counters, ...config, cache, log, read, newAddressOf, memo: new HtmlMemo(htmlMemoBytes) })
  }
  return app
}

function prepareRoutes(database: Database, scoped: { checked: boolean } & Pick<Counters, 'counterFor'>): PreparedRoute[] {
  return routes.map((route) => prepareRoute(route, { ...scoped, database: databaseFor(route, database) }))
}

/** A replica serves only reads that are not cached: a cached answer would keep its lag, and a write must not decide by stale data. */
function databaseFor({ endpoint, fromPrimary, longRunning }: Route, database: Database): Database {
  const scoped = longRunning ? database.longRunning : database
  return fromPrimary || endpoint.shared || endpoint.method === 'POST' ? { ...scoped, reader: scoped.primaryReader } : scoped
}

// A stream of events is answered for as long as somebody listens.
const streamed = new Set<string>(
  [...streams, ...routes.filter(({ endpoint }) => endpoint.streams)].map(({ endpoint }) => `/api${endpoint.path}`),
)

function answerListener(db: Db, metrics: Metrics | null): (answer: AnswerMetrics) => void {
  return (answer) => {
    const isStream = streamed.has(answer.route)
    if (!isStream || answer.status !== 200) metrics?.onAnswer(answer)
    if (!isStream) recordAnswer(db, answer)
  }
}

/** Authentication of calls and the state of the site. */
function authentication({ app, invalidations }: Database) {
  return {
    authenticate: (authorization: string | undefined, allowsExpiredToken = false) =>
      token.authenticate(app, authorization, allowsExpiredToken),
    // Without the other processes' invalidations, the cache may hold a session that they have ended.
    authenticateForRead: (authorization: string | undefined, allowsExpiredToken = false) =>
      invalidations.isCaughtUp
        ? token.authenticateForRead(app, authorization, allowsExpiredToken)
        : token.authenticate(app, authorization, allowsExpiredToken),
    cachedAudience: (authorization: string | undefined) =>
      authorization === undefined || invalidations.isCaughtUp ? token.cachedAudience(app, authorization) : null,
    async reauthenticate(viewer: Viewer) {
      return (isMember(viewer) && (await ownerOfSession(app, viewer.sessionId))) || token.visitor(app)
    },
    // The refusal of a stream is shown to nobody, so its language does not matter.
    async listens(authorization: string | undefined) {
      await setting.assertSiteOpen(app, { availableWhile: 'readOnly' }, 'en')
      return token.authenticateForStream(app, authorization)
    },
    responseLanguage: (language: Language) => setting.responseLanguage(app, language),
    assertSiteOpen: (endpoint: Pick<Endpoint, 'availableWhile'>, language: Language) => setting.assertSiteOpen(app, endpoint, language),
    authenticateStaff: (cookies: string | undefined) => staffSession.authenticate(app, cookies),
  }
}

type OtherRoutes = Pick<AppOptions, 'config' | 'database' | 'log'> &
  Pick<Syndicated, 'app' | 'cache' | 'headers' | 'visitor'> &
  Pick<Counters, 'counterFor'> & { calls: InProcessCalls }

/** Routes that are neither calls nor pages. */
async function serveOtherRoutes({ app, config, database, log, cache, headers, visitor, calls, counterFor }: OtherRoutes): Promise<void> {
  setEnvironment(config)
  serveHealth(app, database, log)
  serveDocs(app, [...routes, ...streams], (await setting.all(database.reader)).title)
  serveSyndication({ app, cache, db: database.primaryReader, visitor, publicUrl: config.publicUrl, headers })
  lookRoutes(app, database.primaryReader)
  serveOneClick(app, { calls, visitor })
  serveMcp(app, { database, calls, publicUrl: config.publicUrl, counterFor })
  await mountWebhooks(app, collect(features, 'webhooks'), database)
  await file.openFiles(app, { config, database, access: fileAccess(database) })
}

const promptSeconds = 0.25

type BackgroundWork = Pick<AppOptions, 'config' | 'database' | 'log' | 'gatherSeconds'> & { counters: Counters }

/** Starts the background work. The returned function ends it once the last call is answered. */
function startBackgroundWork(
  { config, database, log, gatherSeconds, counters }: BackgroundWork,
  calls: InFlightRequests,
): () => Promise<void> {
  const working = [
    startWriteBehind(collect(features, 'bufferedWriters'), { database, log }, gatherSeconds),
    startWriteBehind(collect(features, 'promptWriters'), { database, log }, gatherSeconds ?? promptSeconds),
    openSearch({ config, database, log }),
  ]
  return async () => {
    await calls.settled()
    await Promise.all([...working.map((one) => one.stop()), counters.close()])
  }
}

function headersFor({ publicUrl, development, store }: Config) {
  const https = publicUrl?.startsWith('https:') ?? false
  return { headers: callHeaders({ https }), pageHeaders: securityHeaders({ https, isDevelopment: development, store }) }
}
