import { sql } from 'kysely'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { aForum, renderedFrontend, type Forum } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import { checkImport } from '#importer/server/check.ts'
import { importerOf } from '#importer/server/programs.ts'
import { runImport } from '#importer/server/run.ts'
import { importSummary } from '#importer/server/summary.ts'
import { dumpOf } from '#importer/testing/source-rows.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-rows-'))
const rows = new URL('../testing/rows/', import.meta.url).pathname

afterAll(() => rmSync(folder, { recursive: true }))

type Choices = { points?: string; origin?: string }

/** A forum that the rows of a real board moved into, from a dump and a folder. */
async function movedIn(program: 'phpbb' | 'discuz', { points }: Choices = {}): Promise<Forum> {
  const dump = join(folder, `${program}.sql`)
  writeFileSync(dump, dumpOf(program))
  const forum = await aForum({ openFrontend: renderedFrontend, isOneServer: true })
  await aStaffer(forum)
  const { open, targetOf } = importerOf(program)
  const reader = await open({ from: dump, files: rows, password: '', prefix: undefined, charset: undefined, origin: undefined })
  try {
    const { mapping } = await checkImport(forum.database, reader)
    await runImport({ ...forum, reader, targetOf, mapping: { ...mapping, ...(points && { points }) }, report: () => undefined })
  } finally {
    await reader.close()
  }
  return forum
}

const titlesIn = ({ database: { app } }: Forum) =>
  app.selectFrom('topic').select(['title', 'status', 'pin', 'kind']).orderBy('id').execute()

async function textOf({ database: { app } }: Forum, title: string): Promise<string> {
  const { body } = await app.selectFrom('topic').select('body').where('title', '=', title).executeTakeFirstOrThrow()
  return toText(body as Doc)
}

const logIn = (forum: Forum, account: string, password: string) => forum.visitor().tryCall(login, { account, password })

async function assertSound({ database }: Forum): Promise<void> {
  expect(await counterMismatches(database.app)).toEqual([])
  expect(await newestMismatches(database.app)).toEqual([])
  expect(await wallet.breachesIn(database, bookChecks, null)).toEqual([])
}

describe('the rows of phpBB 3.3.15', async () => {
  const forum = await movedIn('phpbb')

  test('leave counters and books sound', () => assertSound(forum))

  test('print', async () => {
    console.log(await titlesIn(forum), await importSummary(forum.database.app))
    console.log(await forum.database.app.selectFrom('member').select(['account', 'deactivated_as', 'password_hash']).execute())
    console.log(await forum.database.app.selectFrom('tag').select(['name_en', 'parent_id', 'is_restricted']).execute())
    console.log(JSON.stringify(await forum.database.app.selectFrom('topic').select(['title', 'body']).execute(), null, 0).slice(0, 12000))
  })
})

describe('the rows of Discuz! X3.5', async () => {
  const forum = await movedIn('discuz', { points: '2' })

  test('leave counters and books sound', () => assertSound(forum))

  test('print', async () => {
    console.log(await titlesIn(forum), await importSummary(forum.database.app))
    console.log(await forum.database.app.selectFrom('member').select(['account', 'deactivated_as', 'password_hash']).execute())
    console.log(await forum.database.app.selectFrom('comment').select(['floor', 'status', 'text']).execute())
    console.log(JSON.stringify(await forum.database.app.selectFrom('topic').select(['title', 'body']).execute(), null, 0).slice(0, 12000))
    void [textOf, logIn, sessionOf, sql]
  })
})
