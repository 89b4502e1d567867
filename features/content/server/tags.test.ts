import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { aComment } from '#comment/server/example.ts'
import * as contract from '#content/contract.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import * as tags from '#tag/contract.ts'
import { aRole, aTag, giveRole } from '#tag/server/example.ts'
import { listTopics, publishTopic, removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/server/example.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/server/example.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

let made = 0
const form = (more = {}) => ({ key: `made-${++made}`, nameZh: '绿茶', nameEn: 'Green tea', ...more })
const standing = async (tagId: string) => (await chief.call(tags.tagsForStaff, {})).tags.find(({ id }) => id === tagId)
const seen = async () => (await forum.visitor().call(tags.listTags, {})).tags

test('a tag is added, renamed, described and sorted, and every page follows', async () => {
  const { tagId: parentId } = await chief.call(tags.addTag, form({ nameEn: 'Leaves' }))
  const { tagId } = await chief.call(tags.addTag, form({ parentId, descriptionEn: 'Unfermented' }))
  const { tagId: second } = await chief.call(tags.addTag, form({ parentId, nameEn: 'Black tea' }))
  const topicId = await aTopic(await forum.member(), tagId)
  expect((await forum.visitor().call(thread, { topicId })).place.name.en).toBe('Green tea')
  expect(await standing(tagId)).toMatchObject({ version: 1, description: { en: 'Unfermented' }, topicCount: 1, access: null })

  await chief.call(tags.editTag, { tagId, version: 1, ...form({ parentId, nameEn: 'Greens', descriptionEn: 'Steamed' }) })
  expect((await forum.visitor().call(thread, { topicId })).place.name.en).toBe('Greens')
  await chief.call(tags.sortTags, { tagIds: [second, tagId] })
  expect((await seen()).find(({ id }) => id === parentId)?.children.map(({ name }) => name.en)).toEqual(['Black tea', 'Greens'])
  expect((await seen()).find(({ id }) => id === parentId)?.children[1]?.description).toEqual({ zh: '', en: 'Steamed' })
  expect(await chief.isRefused(tags.editTag, { tagId, version: 1, ...form() }, tags.TagChangedSince)).toBe(true)
})

test('tags have two levels, and topics only at their ends', async () => {
  const parent = await aTag(forum.database)
  const child = await aTag(forum.database, { under: parent })
  await aTopic(await forum.member(), child)
  expect(await chief.isRefused(tags.addTag, form({ parentId: child }), tags.TooDeep)).toBe(true)
  const full = await aTag(forum.database)
  await aTopic(await forum.member(), full)
  expect(await chief.isRefused(tags.addTag, form({ parentId: full }), tags.HoldsTopics)).toBe(true)
  expect(
    await chief.isRefused(tags.editTag, { tagId: parent, version: 1, ...form({ parentId: await aTag(forum.database) }) }, tags.TooDeep),
  ).toBe(true)
  const { key } = (await standing(full)) ?? { key: '' }
  expect(await chief.isRefused(tags.addTag, { ...form(), key }, tags.KeyTaken)).toBe(true)
})

test('who may look and who may post is said by role, and works at once', async () => {
  const roleId = await aRole(forum.database, ['avatar.change'])
  const [insider, outsider] = [await forum.member(), await forum.member()]
  await giveRole(forum.database, insider.id, roleId)
  const { tagId } = await chief.call(tags.addTag, form({ isRestricted: true, access: [{ roleId, may: 'view' }] }))
  const list = (who: typeof insider) => who.tries(listTopics, { tagId }).then(({ status }) => status)
  const post = (who: typeof insider) =>
    who.tries(publishTopic, { tagId, title: 'Behind doors', body: says('quiet words') }).then(({ status }) => status)
  expect([await list(insider), await list(outsider), await post(insider)]).toEqual([200, 404, 422])
  expect((await standing(tagId))?.access).toEqual([{ roleId, may: 'view' }])
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ isRestricted: true, access: [{ roleId, may: 'post' }] }) })
  expect([await post(insider), await post(outsider)]).toEqual([200, 422])
  await chief.call(tags.editTag, { tagId, version: 2, ...form() })
  expect([await list(outsider), await post(outsider)]).toEqual([200, 200])
})

test('a tag is removed only when its topics have somewhere to go, and they go with all that is counted', async () => {
  const [from, to] = [await aTag(forum.database), await aTag(forum.database)]
  const [ann, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(ann, from)
  await aComment(tom, topicId)
  await ann.call(removeTopic, { topicId: await aTopic(ann, from) })
  const stays = await aTopic(tom, to)
  expect(await chief.isRefused(contract.removeTag, { tagId: from }, tags.TagNotOpen)).toBe(true)
  expect(await chief.call(contract.removeTag, { tagId: from, to })).toEqual({ moved: 2 })
  expect((await forum.visitor().call(listTopics, { tagId: to })).topics.map(({ id }) => id).toSorted()).toEqual([topicId, stays].toSorted())
  expect(await standing(to)).toMatchObject({ topicCount: 2, allTopics: 3 })
  expect(await standing(from)).toBeUndefined()
  expect((await forum.visitor().call(home, { userId: tom.id })).counts).toEqual({ topics: 1, comments: 1, replies: 0 })
  expect((await chief.call(auditLog, { about: `tag ${from}` })).rows[0]).toMatchObject({ deed: 'tag.remove', after: { to, moved: 2 } })
})

test('whoever publishes while a tag is removed finds it there or gone, and nothing breaks', async () => {
  const to = await aTag(forum.database)
  for (let round = 0; round < 3; round++) {
    const from = await aTag(forum.database)
    const ann = await forum.member()
    await aTopic(ann, from)
    const publishing = Array.from({ length: 3 }, (_, turn) =>
      ann.tries(publishTopic, { tagId: from, title: `Turn ${turn}`, body: says('words') }),
    )
    const [removed, ...published] = await Promise.all([chief.tries(contract.removeTag, { tagId: from, to }), ...publishing])
    expect(removed.status).toBe(200)
    expect(published.map(({ status }) => status).filter((status) => status !== 200 && status !== 422)).toEqual([])
  }
  expect((await standing(to))?.topicCount).toBe((await standing(to))?.allTopics)
})

test('a tag with tags below it stays', async () => {
  const parent = await aTag(forum.database)
  await aTag(forum.database, { under: parent })
  expect(await chief.isRefused(contract.removeTag, { tagId: parent }, tags.HasTagsBelow)).toBe(true)
})
