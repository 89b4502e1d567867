import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db } from '#base/server/database/database.ts'
import { attachProgram, programOf } from '#base/server/program.ts'
import type { TestDatabase } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import type { Tables } from '#database/tables.ts'

export type RecordedStatement = { of: 'app' | 'reader'; text: string; values: readonly unknown[] }

/** The same database, with a log of all its statements. */
export function withStatementLog(store: TestDatabase): TestDatabase & { statements: RecordedStatement[] } {
  const addresses = addressesOf(store.ownerUrl)
  const statements: RecordedStatement[] = []

  function open(of: RecordedStatement['of']): Db {
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: addresses[of] }) }),
      log({ query: { sql: text, parameters: values } }) {
        statements.push({ of, text, values })
      },
    })
    attachProgram(db, programOf(store.database.app))
    return db
  }

  const [app, reader] = [open('app'), open('reader')]
  async function close(): Promise<void> {
    await Promise.all([app.destroy(), reader.destroy()])
    await store.close()
  }
  return { ...store, database: { ...store.database, app, reader, primaryReader: reader }, close, statements }
}
