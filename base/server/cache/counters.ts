import { Redis } from 'ioredis'
import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/connection.ts'
import type { Log } from '#base/server/log.ts'

/** At most `points` within `duration` seconds. */
type CounterOptions = { keyPrefix: string; points: number; duration: number }

/** Makes a counter. Counters with the same prefix over one store count together. */
export type CountersFor = (terms: CounterOptions) => RateLimiterAbstract

export type Counters = { counterFor: CountersFor; close(): Promise<void> }

export const inMemory: CountersFor = (terms) => new RateLimiterMemory(terms)

const betweenWarningsMs = 60_000

/**
 * Opens the store of rate limits: Redis if it is configured, else a database shared by several servers, else memory. While the store is
 * unavailable each process counts by itself and logs a warning.
 */
export function openCounters({ redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>, db: Db, log: Log): Counters {
  if (redisUrl) return inRedis(redisUrl, log)
  return { counterFor: databaseUrl ? inDatabase(db, log) : inMemory, close: async () => undefined }
}

function inDatabase(db: Db, log: Log): CountersFor {
  const complain = complainer(log, 'the database')
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      try {
        return await db.executeQuery(CompiledQuery.raw(text, values))
      } catch (error) {
        complain(error)
        throw error
      }
    },
  }
  return (terms) =>
    new RateLimiterPostgres({
      ...terms,
      storeClient,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: inMemory(terms),
    })
}

// A hanging Redis is disconnected, and no request waits until it is back.
const patience = { commandTimeout: 500, socketTimeout: 500 }

function inRedis(url: string, log: Log): Counters {
  const complain = complainer(log, 'Redis')
  const storeClient = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 2_000, ...patience })
  for (const event of ['error', 'close']) storeClient.on(event, complain)
  return {
    counterFor: (terms) => new RateLimiterRedis({ ...terms, storeClient, rejectIfRedisNotReady: true, insuranceLimiter: inMemory(terms) }),
    async close() {
      storeClient.off('close', complain)
      storeClient.disconnect()
    },
  }
}

function complainer(log: Log, store: string): (error: unknown) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - saidAt < betweenWarningsMs) return
    saidAt = performance.now()
    log.warn({ err: error }, `Limits could not be counted in ${store}: each process counts by itself meanwhile`)
  }
}
