import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { openSqlite } from '#importer/server/tables/sqlite.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { contractSql, testSourceTables } from '#importer/testing/source-tables-contract.ts'

const { path: folder, write } = dumpFolder()

describe('SQLite', () => {
  testSourceTables(async () => {
    const path = join(folder, 'contract.sqlite')
    const database = new DatabaseSync(path)
    // SQLite has no decimals, and keeps a price as a number without its zeros.
    database.exec(contractSql({ dateTime: 'datetime', large: 'bigint' }).replace('decimal(20,2)', 'text').replace('12.50', `'12.50'`))
    database.close()
    return openSqlite(path)
  })
})

test('a file that is none, or is another, says what to do', async () => {
  await expect(openSqlite(join(folder, 'missing.sqlite'))).rejects.toThrow(CannotStart)
  await expect(openSqlite(write('text.sqlite', 'a text that is no database '.repeat(100)))).rejects.toThrow('is no SQLite file')
})
