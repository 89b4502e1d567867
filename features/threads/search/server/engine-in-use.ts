import type { Config } from '#base/server/config.ts'
import { perProgram } from '#base/server/program.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import type { Engine } from '#search/server/engine.ts'
import { startIndexer } from '#search/server/indexer.ts'
import { openSearchEngine } from '#search/server/opensearch/engine.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'

const inUse = perProgram(() => ({ engine: postgresEngine }))

export function engineInUse(db: Db): Engine {
  return inUse(db).engine
}

export function engineFor({ searchUrl }: Config): Engine {
  return searchUrl ? openSearchEngine(searchUrl) : postgresEngine
}

/** Selects the engine for entries, and keeps them up to date until it is stopped. */
export function openSearch({ config, database, log }: { config: Config; database: Database; log: Log }): { stop(): Promise<void> } {
  const engine = engineFor(config)
  inUse(database.app).engine = engine
  return startIndexer({ database, engine, log })
}
