import { expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { openDiyhi } from '#importer/server/diyhi/reader.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { openMysql } from '#importer/server/tables/mysql.ts'
import { filesIn } from '#importer/server/tables/source-files.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'
import { allRowsOf } from '#importer/testing/all-rows.ts'
import { diyhiCommunity } from '#importer/testing/diyhi-community.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { startMariadb } from '#importer/testing/mariadb.ts'
import { diyhiSql } from '#importer/testing/old-diyhi.ts'

test('a community is the same live, from a dump of mariadb-dump, and from statements', async () => {
  const { write } = dumpFolder()
  const mariadb = await startMariadb()
  afterFile(() => mariadb.stop())
  mariadb.run('create database diyhi character set utf8mb4')
  mariadb.run(diyhiSql(diyhiCommunity), 'diyhi')
  const rowsIn = async (tables: SourceTables) => {
    const reader = await openDiyhi(tables, filesIn(null))
    const rows = await allRowsOf(reader)
    await reader.close()
    return rows
  }
  const live = await rowsIn(await openMysql(mariadb.address('diyhi')))
  const dumped = write('dumped.sql', mariadb.dump('diyhi', '--default-character-set=utf8mb4'))
  expect(await rowsIn(await openDump(dumped))).toEqual(live)
  expect(await rowsIn(await openDump(write('stated.sql', diyhiSql(diyhiCommunity))))).toEqual(live)
  expect(live['threads']).toHaveLength(10)
})
