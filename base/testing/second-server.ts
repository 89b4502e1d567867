import { request, type OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql, type KyselyPlugin } from 'kysely'
import { inject } from 'vitest'
import { readYourWritesCookie, secretCookieName } from '#base/server/http/secret-cookies.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { setDevelopment } from '#base/server/development.ts'
import { readYourWrites } from '#base/server/database/read-your-writes.ts'
import { replicaOf } from '#base/testing/database.ts'
import { startForums } from '#base/testing/forums.ts'
import { addressesOf } from '#base/server/database/roles.ts'

type ForumEnvironment = { database: Database; ownerUrl: string; dataDir: string; env: Record<string, string> }

/** The shared environment of a forum's servers. */
export function sharedEnv(ownerUrl: string): Record<string, string> {
  const { redis } = inject('database')
  const replica = replicaOf(ownerUrl)
  if (!redis || !replica) return {}
  return {
    DATABASE_URL: ownerUrl,
    DATABASE_REPLICA_URL: replica,
    REDIS_URL: `${redis}/${nextRedisDatabase()}`,
    TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  }
}

let redisDatabases = 0

// Member ids repeat between forums, so each has its own Redis database.
function nextRedisDatabase(): number {
  return Number(process.env['VITEST_POOL_ID'] ?? 0) * 1_000 + (redisDatabases++ % 1_000)
}

export type TwoServers = { app: FastifyInstance; database: Database; close(): Promise<void> }

/**
 * Alternates calls between this server and a second one in another process. Each call reads the writes of earlier ones, as in one browser;
 * writes that bypass both servers invalidate the caches of both.
 */
export async function withSecondServer(app: FastifyInstance, { database, ownerUrl, dataDir, env }: ForumEnvironment): Promise<TwoServers> {
  await database.invalidations.listen(() => undefined)
  const other = await startForums({
    addresses: [addressesOf(ownerUrl, replicaOf(ownerUrl))],
    folder: dataDir,
    listens: true,
    env: { ...env, GATHER_SECONDS: '3600', CHECKED: 'yes', IS_TRIED: 'yes' },
  })
  // The proxy that both trust is this test, which reads what an outbox keeps.
  setDevelopment(true)
  const { position } = readYourWrites(database)
  const past = detectDirectWrites(database.app)
  let turn = 0

  async function injected(urlOrOptions: InjectOptions | string): Promise<LightMyRequestResponse> {
    const how: InjectOptions = typeof urlOrOptions === 'string' ? { url: urlOrOptions } : urlOrOptions
    if (past.take()) await sql`insert into invalidation (by, tags) values (gen_random_uuid(), ${allCacheTags})`.execute(database.app)
    const marked = withCookie(how, `${secretCookieName(readYourWritesCookie)}=${await position()}`)
    return turn++ % 2 === 1 && isCall(how) ? send(other.ports[0] ?? 0, marked) : app.inject(marked)
  }

  return {
    app: new Proxy(app, {
      get(target, name) {
        if (name === 'inject') return injected
        const its = Reflect.get(target, name, target) as unknown
        return typeof its === 'function' ? its.bind(target) : its
      },
    }),
    database: { ...database, app: past.db, reader: database.primaryReader },
    close: () => other.stop(),
  }
}

// The cache tags of everything a process caches.
const allCacheTags = ['everything', 'setting', 'role', 'tags', 'terms', 'frame', 'sensitiveWords', 'deliveryTemplates']

/** Detects a test's direct writes to the database since the last check. */
function detectDirectWrites(app: Db): { db: Db; take(): boolean } {
  let isSo = false
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== 'SelectQueryNode') isSo = true
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    db: app.withPlugin(plugin),
    take() {
      const was = isSo
      isSo = false
      return was
    },
  }
}

// Only the first server renders pages.
function isCall({ url, payload, headers = {} }: InjectOptions): boolean {
  const isText = payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)
  return typeof url === 'string' && url.startsWith('/api/') && isText && !Object.keys(headers).some((name) => /^x-forwarded/i.test(name))
}

function withCookie(how: InjectOptions, mark: string): InjectOptions {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(how.headers ?? {})) headers[name.toLowerCase()] = value
  return { ...how, headers: { ...headers, cookie: [headers['cookie'], mark].filter(Boolean).join('; ') } }
}

function send(port: number, { method = 'GET', url, headers = {}, payload, remoteAddress = '127.0.0.1' }: InjectOptions) {
  const its = { host: 'localhost:80', ...(headers as OutgoingHttpHeaders), 'x-forwarded-for': remoteAddress }
  return new Promise<LightMyRequestResponse>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, agent: false, method, path: url as string, headers: its }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('error', reject)
      answer.on('end', () => {
        const rawPayload = Buffer.concat(pieces)
        const body = rawPayload.toString()
        const { statusCode = 0, statusMessage = '' } = answer
        const response = {
          statusCode,
          statusMessage,
          headers: answer.headers,
          rawPayload,
          body,
          payload: body,
          json: () => JSON.parse(body),
        }
        resolve(response as unknown as LightMyRequestResponse)
      })
    })
    asking.on('error', reject)
    asking.end(payload as string | Buffer | undefined)
  })
}
