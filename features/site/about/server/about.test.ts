import { beforeEach, expect, test } from 'vitest'
import { about, welcome } from '#about/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let mei: Person

beforeEach(async () => {
  forum = await aForum()
  mei = await forum.member()
})

test('a new visitor reads the description of the site, as staff wrote it, and where to begin', async () => {
  const topicId = await aTopic(mei, await aTag(forum.database), { title: 'Begin here' })
  await forum.database.app.updateTable('topic').set({ featured_at: new Date() }).where('id', '=', topicId).execute()
  await transact(forum.database, (tx) => setting.change(tx, 'welcomeEn', 'A house by the river.', 'test'))
  const { says, topics } = await forum.visitor().call(welcome, {})
  expect(says.en).toBe('A house by the river.')
  expect(says.zh).not.toBe('')
  expect(topics).toMatchObject([{ id: topicId, title: 'Begin here' }])
})

test('the numbers of the site count only public posts', async () => {
  const before = await forum.visitor().call(about, {})
  const tom = await forum.member()
  const { tagId, admit } = await aClosedTag(forum.database)
  await admit(mei.id)
  await aTopic(mei, tagId)
  const topicId = await aTopic(mei, await aTag(forum.database))
  await aReply(tom, await aComment(tom, topicId))
  forum.database.invalidations.announce(new Set(['tagCounts']))
  const now = await forum.visitor().call(about, {})
  expect([now.members - before.members, now.topics - before.topics, now.today - before.today]).toEqual([1, 1, 3])
})

test('the operator is named in both languages, and empty if unset', async () => {
  expect((await forum.visitor().call(about, {})).runBy).toEqual({ zh: '', en: '' })
  await transact(forum.database, async (tx) => {
    await setting.change(tx, 'runByZh', '茶馆编辑部', 'test')
    await setting.change(tx, 'runByEn', 'The editors', 'test')
  })
  expect((await forum.visitor().call(about, {})).runBy).toEqual({ zh: '茶馆编辑部', en: 'The editors' })
})
