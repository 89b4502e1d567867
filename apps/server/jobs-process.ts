import fastify, { type FastifyInstance } from 'fastify'
import { openApp } from '#apps/server/app.ts'
import { allJobs } from '#apps/server/jobs.ts'
import { preflight } from '#apps/server/preflight.ts'
import { listenError } from '#apps/server/start-failures.ts'
import { openStore } from '#apps/server/store.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { startJobs } from '#base/server/jobs/jobs.ts'
import type { Log } from '#base/server/log.ts'
import { startTracing } from '#base/server/tracing/trace.ts'
import { shutDown } from '#apps/server/shutdown.ts'

const embeddedOnly =
  'This forum has the embedded PostgreSQL, whose server runs the jobs. A process for jobs alone needs a database in DATABASE_URL.'

type JobsProcessOptions = {
  config: Config
  log: Log
  /** Whether it answers `/health` and `/metrics` at the port. */
  listens: boolean
}

/** Runs the jobs of a forum and answers no members. The returned function stops it: what outlasts ten seconds is resumed elsewhere. */
export async function startJobsProcess({ config, log, listens }: JobsProcessOptions): Promise<() => Promise<void>> {
  if (!config.databaseUrl) throw new CannotStart(embeddedOnly)
  const stops = [await startTracing({ trustProxy: config.trustProxy, log })]
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const store = await openStore(config, log)
    stops.push(store.close)
    for (const mended of await preflight(store.ownerUrl)) log.warn(mended)
    const { database } = store
    // It never listens, but holds what jobs rely on: secrets, the search engine, writers of buffers.
    const app = await openApp({ config, database, log, cacheBytes: 0 })
    stops.push(() => shutDown(app, 0))
    await app.ready()
    if (listens) stops.push(await serveStatus(app, config))
    const working = await startJobs(store.appUrl, allJobs({ config, ownerUrl: store.ownerUrl }), { database, log, dataDir: config.dataDir })
    stops.push(working.stop)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Answers what orchestrators and Prometheus ask, and nothing else of the forum. */
async function serveStatus(app: FastifyInstance, { port, host }: Config): Promise<() => Promise<void>> {
  const status = fastify({ forceCloseConnections: true })
  for (const path of ['/health', '/health/live', '/metrics'])
    status.get(path, (request, reply) => {
      reply.hijack()
      app.routing(request.raw, reply.raw)
    })
  try {
    await status.listen({ port, host })
  } catch (error) {
    throw listenError(error, { port, host })
  }
  return () => status.close()
}
