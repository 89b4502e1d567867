import { sql } from 'kysely'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { withDatabase } from '#base/testing/database.ts'
import type { Forum } from '#base/testing/forum.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, conversationsIn, messagesIn, movedIn, newIdOf } from '#importer/testing/moved-in.ts'
import { oldFlarum, oldFlarum2, prefixed, typedPassword } from '#importer/testing/old-flarum.ts'
import { postgresSql, tablesSql } from '#importer/testing/old-tables.ts'
import * as wallet from '#wallet/server/wallet.ts'

const { path: folder, write } = dumpFolder()
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const origin = 'https://former.example.org/'

function writeFiles(): void {
  for (const one of ['avatars', 'files/2024-05-01', 'files/phpbb_migrated']) mkdirSync(join(folder, 'assets', one), { recursive: true })
  for (const path of ['avatars/ann.png', 'files/2024-05-01/1-2-cup.png', 'files/phpbb_migrated/885_c7d9']) write(`assets/${path}`, png)
  write('assets/files/2024-05-01/1-3-list.txt', 'all teas')
}

async function run(address: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function ofDump(): Promise<Forum> {
  const from = write('flarum.sql', tablesSql(prefixed(oldFlarum, 'fl_'), 'utf8mb4'))
  return movedIn('flarum', { from, files: folder, prefix: 'fl_', origin })
}

async function ofPostgres(): Promise<Forum> {
  const name = `old_flarum_${process.pid}`
  const owner = new URL(withDatabase(inject('database').owner, name))
  await run(inject('database').owner, `create database ${name}`)
  afterFile(() => run(inject('database').owner, `drop database ${name} with (force)`))
  await run(owner.href, postgresSql(oldFlarum2))
  const password = decodeURIComponent(owner.password)
  owner.password = ''
  return movedIn('flarum', { from: owner.href, password, files: folder, origin })
}

describe.each([
  ['Flarum 1 in a dump of MySQL', ofDump],
  ['Flarum 2 in PostgreSQL', ofPostgres],
])('%s', (name, open) => {
  let forum: Forum
  beforeAll(async () => {
    writeFiles()
    forum = await open()
  })

  test('counters and books are sound', async () => {
    console.log(await commentsIn(forum), await forum.database.app.selectFrom('topic').select(['title','status','tag_id']).execute(), await messagesIn(forum), await conversationsIn(forum), await newIdOf(forum,'tag','1'), await forum.database.app.selectFrom('tag').selectAll().execute())
    expect(await counterMismatches(forum.database.app)).toEqual([])
    expect(await newestMismatches(forum.database.app)).toEqual([])
    expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
  })
})
void sql
void login
void typedPassword
