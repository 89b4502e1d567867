import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openDatabase, transact } from '#base/server/database.ts'
import { listenerName, invalidate } from '#base/server/invalidation.ts'
import { aForum } from '#base/testing/forum.ts'
import { addressesOf } from '#database/migrate.ts'
import * as frame from '#frame/server/frame.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { listTags } from '#tag/contract.ts'
import { aTag } from '#tag/server/example.ts'
import { listTopics } from '#topic/contract.ts'
import { aTopic } from '#topic/server/example.ts'

const forum = await aForum()
await forum.database.invalidations.listen(() => undefined)
// Another process, as far as this one can tell.
const another = openDatabase(addressesOf(forum.ownerUrl), { size: 2, onLost: () => undefined })
const outside = new pg.Client({ connectionString: forum.ownerUrl })
await outside.connect()
afterAll(async () => {
  await another.close()
  await outside.end()
})

const retitle = (title: string) => transact(another, (tx) => setting.change(tx, 'title', title, 'test'))
const title = async () => (await forum.visitor().call(baseInfo, {})).title

test('settings, tags and what stands around the pages are seen here when another process changes them', async () => {
  const visitor = forum.visitor()
  const seen = async () => {
    const [{ title, frame }, { tags }] = await Promise.all([visitor.call(baseInfo, {}), visitor.call(listTags, {})])
    return [title, frame.sections.map(({ name }) => name.en), tags.map(({ name }) => name.en)]
  }
  await seen()
  await retitle('Jasmine')
  await aTag(another, { name: 'Leaves' })
  await transact(another, async (tx) => {
    await tx.insertInto('section').values({ name_zh: 'Cups', name_en: 'Cups', url: '/cups', audience: 'everybody' }).execute()
    frame.changed(tx)
  })
  await expect.poll(seen).toEqual(['Jasmine', ['Home', 'Cups', 'Q&A'], ['Leaves']])
})

test('what is posted through another process is on the page here', async () => {
  const tagId = await aTag(forum.database)
  const mei = await forum.member()
  const topicId = await aTopic(mei, tagId)
  const titles = async () => (await forum.visitor().call(listTopics, { tagId })).topics.map((topic) => topic.title)
  await titles()
  await transact(another, async (tx) => {
    await tx.updateTable('topic').set({ title: 'Renamed there' }).where('id', '=', topicId).execute()
    invalidate(tx, 'titles', `topic:${topicId}`, `tag:${tagId}`)
  })
  await expect.poll(titles).toEqual(['Renamed there'])
})

test('what is changed while the line is broken is seen when it is mended', async () => {
  await title()
  await outside.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [listenerName],
  )
  await retitle('Oolong')
  await expect.poll(title).toBe('Oolong')
  await retitle('Sencha')
  await expect.poll(title).toBe('Sencha')
})
