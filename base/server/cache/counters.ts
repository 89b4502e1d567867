import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/connection.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'
import type { Log } from '#base/server/log.ts'

const ioredis = lazyPackage((load) => load('ioredis') as typeof import('ioredis'))

/** At most `points` within `duration` seconds. */
type CounterOptions = { keyPrefix: string; points: number; duration: number }

/** Makes a counter. Counters with the same prefix over one store count together. */
export type CounterFactory = (options: CounterOptions) => RateLimiterAbstract

export type Counters = { counterFor: CounterFactory; close(): Promise<void> }

export const inMemoryCounter: CounterFactory = (options) => new RateLimiterMemory(options)

const warningIntervalMs = 60_000

/**
 * Opens the store of rate limits: Redis if it is configured, else a database shared by several servers, else memory. While the store is
 * unavailable each process counts by itself and logs a warning.
 */
export function openCounters({ redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>, db: Db, log: Log): Counters {
  if (redisUrl) return redisCounters(redisUrl, log)
  return { counterFor: databaseUrl ? databaseCounter(db, log) : inMemoryCounter, close: async () => undefined }
}

function databaseCounter(db: Db, log: Log): CounterFactory {
  const warn = throttledWarning(log, 'the database')
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      try {
        return await db.executeQuery(CompiledQuery.raw(text, values))
      } catch (error) {
        warn(error)
        throw error
      }
    },
  }
  return (options) =>
    new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: inMemoryCounter(options),
    })
}

// A hanging Redis is disconnected, and no request waits until it is back.
const redisTimeouts = { commandTimeout: 500, socketTimeout: 500 }

function redisCounters(url: string, log: Log): Counters {
  const warn = throttledWarning(log, 'Redis')
  const storeClient = new (ioredis().Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    ...redisTimeouts,
  })
  for (const event of ['error', 'close']) storeClient.on(event, warn)
  return {
    counterFor: (options) =>
      new RateLimiterRedis({ ...options, storeClient, rejectIfRedisNotReady: true, insuranceLimiter: inMemoryCounter(options) }),
    async close() {
      storeClient.off('close', warn)
      storeClient.disconnect()
    },
  }
}

function throttledWarning(log: Log, store: string): (error: unknown) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - warnedAt < warningIntervalMs) return
    warnedAt = performance.now()
    log.warn({ err: error }, `Limits could not be counted in ${store}: each process counts by itself meanwhile`)
  }
}
