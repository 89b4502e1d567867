import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import type { Engine } from '#search/server/engine.ts'
import { keepUp } from '#search/server/keep-up.ts'
import { openSearchEngine } from '#search/server/opensearch/engine.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { countsTag, forgetCounts } from '#search/server/postgres/shares.ts'
import { forgetSpellings } from '#search/server/spelling.ts'

let inUse: Engine = postgresEngine

export function engineInUse(): Engine {
  return inUse
}

export function engineFor({ searchUrl }: Config): Engine {
  return searchUrl ? openSearchEngine(searchUrl) : postgresEngine
}

/** Chooses where entries are kept, and keeps them up to date until it is stopped. */
export function openSearch({ config, database, log }: { config: Config; database: Database; log: Log }): { stop(): Promise<void> } {
  inUse = engineFor(config)
  database.invalidations.on((tags) => {
    if (tags !== '*' && !tags.includes(countsTag)) return
    forgetCounts()
    forgetSpellings()
  })
  return keepUp({ database, engine: inUse, log })
}
