import { expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { withStatementLog } from '#base/testing/statement-log.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as file from '#file/server/file.ts'
import { storage } from '#file/server/storage.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, picture } from '#writing/testing/factories.ts'

const store = withStatementLog(await freshDatabase())
const forum = await aForum({ fresh: async () => store })
const mei = await forum.member()
const tagId = await aTag(forum.database)

const many = 60
const about = /from "(file|topic|comment|reply)"|_revision/
const takeStatements = () => store.statements.splice(0).filter(({ text }) => about.test(text))
const thumbnail = (id: string) => forum.app.inject(`/file/${id}?w=240`)

test('a list of pictures is one question for many, of the reader, and none when it comes again', async () => {
  const ids = await pictures()
  await entered()
  takeStatements()
  const first = await Promise.all(ids.map(thumbnail))
  expect(first.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 200))
  const questions = takeStatements()
  // The queries: the files, their topics, and whether a version with one of them is withheld; once for the first, and once for all
  // that arrived meanwhile.
  expect(questions.length).toBeLessThanOrEqual(6)
  expect(questions.filter(({ of }) => of === 'app')).toEqual([])

  const again = await Promise.all(ids.map(thumbnail))
  expect(again.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 200))
  expect(takeStatements()).toEqual([])
})

test('a removed picture is missing at once, and a shared cache asks again after a minute', async () => {
  const { file: id } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
  const topicId = await aTopic(mei, tagId, { body: documentWith(picture(id)) })
  const response = await forum.app.inject(`/file/${id}`)
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=86400, s-maxage=60'])
  const known = { url: `/file/${id}`, headers: { 'if-none-match': String(response.headers.etag) } }
  const still = await forum.app.inject(known)
  expect([still.statusCode, still.headers['cache-control'], still.body]).toEqual([304, 'public, max-age=86400, s-maxage=60', ''])

  await mei.call(removeTopic, { topicId })
  expect((await forum.app.inject(known)).statusCode).toBe(404)
})

/** Waits until the search index has caught up. */
async function entered(): Promise<void> {
  await expect.poll(() => forum.database.app.selectFrom('search_change').select('number').execute()).toEqual([])
}

/** One picture under many names, all in one topic. */
async function pictures(): Promise<string[]> {
  const { app } = forum.database
  const { file: id } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
  const topicId = await aTopic(mei, tagId, { body: documentWith(picture(id)) })
  await thumbnail(id)
  const ids = Array.from({ length: many }, () => file.newId())
  const row = await app.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await app
    .insertInto('file')
    .values(ids.map((one) => ({ ...row, id: one })))
    .execute()
  await file.attach(app, ids, { topicId })
  const place = await storage(app)
  for (const one of ids) await place.copy(`${id}.240.webp`, `${one}.240.webp`)
  return ids
}
