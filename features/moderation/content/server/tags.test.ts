import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { RoleChanged } from '#role/contract.ts'
import { editRole, roleList } from '#role/staff-contract.ts'
import { prove } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import * as tags from '#tag/contract.ts'
import { aClosedTag, aRole, aTag, aTagInAClosedGroup, giveRole } from '#tag/testing/factories.ts'
import { listTopics, publishTopic, removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

let tagCount = 0
const form = (more = {}) => ({ key: `made-${++tagCount}`, nameZh: '绿茶', nameEn: 'Green tea', ...more })
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

test('reading and posting in a tag are given by role, and apply at once', async () => {
  const roleId = await aRole(forum.database, ['avatar.change'])
  const [insider, outsider] = [await forum.member(), await forum.member()]
  await giveRole(forum.database, insider.id, roleId)
  const { tagId } = await chief.call(tags.addTag, form({ isRestricted: true, access: [{ roleId, may: 'view' }] }))
  const list = (who: typeof insider) => who.tryCall(listTopics, { tagId }).then(({ status }) => status)
  const post = (who: typeof insider) =>
    who.tryCall(publishTopic, { tagId, title: 'Behind doors', body: says('quiet words') }).then(({ status }) => status)
  expect([await list(insider), await list(outsider), await post(insider)]).toEqual([200, 404, 422])
  expect((await standing(tagId))?.access).toEqual([{ roleId, may: 'view' }])
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ isRestricted: true, access: [{ roleId, may: 'post' }] }) })
  expect([await post(insider), await post(outsider)]).toEqual([200, 422])
  await chief.call(tags.editTag, { tagId, version: 2, ...form() })
  expect([await list(outsider), await post(outsider)]).toEqual([200, 200])
})

const roleNow = async (roleId: string) => {
  const { rights = [], version = -1 } = (await chief.call(roleList, {})).roles.find(({ id }) => id === roleId) ?? {}
  return { version, in: (tagId: string) => rights.filter((one) => one.tagId === tagId).map(({ right }) => right) }
}

test('a tag saved again leaves the rights of roles in it', async () => {
  for (const isRestricted of [true, false]) {
    const tagId = await aTag(forum.database, { isRestricted })
    const keepsOrder = await aRole(forum.database, ['content.edit.any', 'comment.unreviewed', 'tag.view'], tagId)
    const speaks = await aRole(forum.database, ['tag.view', 'comment.post'], tagId)
    const [before, other] = [await roleNow(keepsOrder), await roleNow(speaks)]
    const access = (await standing(tagId))?.access ?? []
    await chief.call(tags.editTag, { tagId, version: 1, ...form({ descriptionEn: 'Told anew', isRestricted, access }) })
    expect((await roleNow(keepsOrder)).in(tagId)).toEqual(before.in(tagId))
    expect([(await roleNow(speaks)).in(tagId), (await roleNow(speaks)).version]).toEqual([other.in(tagId), other.version])
  }
})

test('only roles with a changed choice are updated, logged and get another version', async () => {
  const { tagId, roleId: stays } = await aClosedTag(forum.database)
  const changes = await aRole(forum.database, ['tag.view', 'content.edit.any', 'reply.unreviewed'], tagId)
  const leaves = await aRole(forum.database, ['tag.view', 'topic.publish', 'content.remove.any'], tagId)
  const before = await roleNow(stays)
  const choice = [
    { roleId: stays, may: 'post' as const },
    { roleId: changes, may: 'post' as const },
  ]
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ isRestricted: true, access: choice }) })
  expect((await roleNow(stays)).version).toBe(before.version)
  expect((await roleNow(changes)).in(tagId)).toEqual(
    expect.arrayContaining(['content.edit.any', 'reply.unreviewed', 'topic.publish', 'reply.post']),
  )
  expect((await roleNow(leaves)).in(tagId)).toEqual(['content.remove.any'])
  expect([(await roleNow(changes)).version, (await roleNow(leaves)).version]).toEqual([1, 1])
  expect((await chief.call(auditLog, { about: `role ${leaves}` })).rows[0]).toMatchObject({
    action: 'role.edit',
    before: { tagId, rights: ['content.remove.any', 'tag.view', 'topic.publish'] },
    after: { tagId, rights: ['content.remove.any'] },
  })
})

test('a form that is out of date about access overwrites nothing', async () => {
  const { tagId, roleId } = await aClosedTag(forum.database)
  const role = (await chief.call(roleList, {})).roles.find(({ id }) => id === roleId)
  const { name = { zh: '', en: '' }, version = -1, rights = [] } = role ?? {}
  const asRead = { roleId, version, ...name, rights: rights as never }
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ isRestricted: true, access: [] }) })
  expect(await chief.isRefused(editRole, asRead, RoleChanged)).toBe(true)
  await chief.call(editRole, { ...asRead, version: version + 1 })
  expect(
    await chief.isRefused(tags.editTag, { tagId, version: 2, ...form({ isRestricted: true, access: [] }) }, tags.TagChangedSince),
  ).toBe(true)
})

test('opening a restricted tag takes the password', async () => {
  const clerk = await aStaffer(forum, ['tag.manage', 'content.view'])
  const { tagId: groupId } = await clerk.call(tags.addTag, form({ isRestricted: true }))
  const { tagId } = await clerk.call(tags.addTag, form({ parentId: groupId, isRestricted: true }))
  const roleId = await aRole(forum.database, ['avatar.change'])
  const past = new Date(Date.now() - 11 * 60_000)
  await forum.database.app.updateTable('staff_session').set({ proved_at: past }).where('staff_id', '=', clerk.id).execute()
  const wider = [
    form({ parentId: groupId }),
    form({ parentId: groupId, isRestricted: true, access: [{ roleId, may: 'view' }] }),
    form({ isRestricted: true }),
  ]
  for (const one of wider) expect((await clerk.tryCall(tags.editTag, { tagId, version: 1, ...one })).status).toBe(428)
  expect((await clerk.tryCall(tags.editTag, { tagId, version: 1, ...form({ parentId: groupId, isRestricted: true }) })).status).toBe(200)
  await clerk.call(prove, { password: clerk.password })
  expect((await clerk.tryCall(tags.editTag, { tagId, version: 2, ...form() })).status).toBe(200)
})

test('a moderator of all tags moderates a closed tag too, and keeps no rights of its own when it is opened', async () => {
  const [tagId, roleId] = [await aTag(forum.database), await aRole(forum.database, ['content.edit.any', 'topic.unreviewed'])]
  expect((await chief.call(tags.tagsForStaff, {})).roles.find(({ id }) => id === roleId)?.keepsOrder).toBe(true)
  const access = [{ roleId, may: 'view' as const }]
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ isRestricted: true, access }) })
  expect((await roleNow(roleId)).in(tagId)).toEqual(['content.edit.any', 'tag.view', 'topic.unreviewed'])
  expect((await standing(tagId))?.access).toContainEqual({ roleId, may: 'view' })
  await chief.call(tags.editTag, { tagId, version: 2, ...form() })
  expect((await roleNow(roleId)).in(tagId)).toEqual([])
})

test('reading and posting in a parent tag limit its child tags, if a tag may only narrow them', async () => {
  const [above, below, both] = await Promise.all(Array.from({ length: 3 }, () => aRole(forum.database, ['avatar.change'])))
  const people = await Promise.all([above, below, both].map(async (roleId) => ({ who: await forum.member(), roleId })))
  for (const { who, roleId } of people) await giveRole(forum.database, who.id, roleId ?? '')
  const { tagId: parentId } = await chief.call(tags.addTag, form())
  const { tagId } = await chief.call(tags.addTag, form({ parentId }))
  const topicId = await aTopic(await forum.member(), tagId)
  const reads = () => Promise.all(people.map(({ who }) => who.tryCall(thread, { topicId }).then(({ status }) => status)))
  const posts = () => Promise.all(people.map(({ who }) => who.call(tags.myTags, {}).then(({ publishIn }) => publishIn.includes(tagId))))
  const may = (roleId: string | undefined, may: 'view' | 'post') => ({ roleId: roleId ?? '', may })
  expect(await reads()).toEqual([200, 200, 200])

  const wider = { isRestricted: true, access: [may(above, 'post'), may(both, 'view')] }
  await chief.call(tags.editTag, { tagId: parentId, version: 1, ...form(wider) })
  expect([await reads(), await posts()]).toEqual([
    [200, 403, 200],
    [true, false, false],
  ])
  expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(403)
  expect((await seen()).some(({ id }) => id === parentId)).toBe(false)

  const narrower = { isRestricted: true, access: [may(above, 'view'), may(below, 'post'), may(both, 'post')] }
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ parentId, ...narrower }) })
  expect([await reads(), await posts()]).toEqual([
    [200, 403, 200],
    [false, false, false],
  ])
})

test('a tag below one that is closed says so, and names the roles that may look above', async () => {
  const { tagId, groupId, roleId, admit } = await aTagInAClosedGroup(forum.database)
  const insider = await forum.member()
  await admit(insider.id)
  const topicId = await aTopic(insider, tagId)
  expect((await insider.call(thread, { topicId })).place.isRestricted).toBe(true)
  const tree = (await insider.call(tags.listTags, {})).tags.find(({ id }) => id === groupId)
  const name = (await chief.call(tags.tagsForStaff, {})).roles.find(({ id }) => id === roleId)?.name
  expect(tree).toMatchObject({ isRestricted: true, viewers: [name] })
  expect(tree?.children).toMatchObject([{ id: tagId, isRestricted: true, viewers: [name] }])
})

test('a moderator of a tag moderates its child tags, except one with its own roles', async () => {
  const [parentId, author, keeper] = [await aTag(forum.database), await forum.member(), await forum.member()]
  await giveRole(forum.database, keeper.id, await aRole(forum.database, ['content.remove.any'], parentId))
  const open = await aTopic(author, await aTag(forum.database, { under: parentId }))
  const { tagId, admit } = await aClosedTag(forum.database, { under: parentId })
  for (const { id } of [author, keeper]) await admit(id)
  const closed = await aTopic(author, tagId)
  expect((await keeper.tryCall(removeTopic, { topicId: closed })).status).toBe(403)
  expect((await keeper.tryCall(removeTopic, { topicId: open, reason: 'spam' })).status).toBe(200)
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
  expect((await forum.visitor().call(home, { userId: tom.id })).counts).toMatchObject({ topics: 1, comments: 1, replies: 0 })
  expect((await chief.call(auditLog, { about: `tag ${from}` })).rows[0]).toMatchObject({ action: 'tag.remove', after: { to, moved: 2 } })
})

test('a post published during the removal of its tag is there or refused, and nothing fails', async () => {
  const to = await aTag(forum.database)
  for (let round = 0; round < 3; round++) {
    const from = await aTag(forum.database)
    const ann = await forum.member()
    await aTopic(ann, from)
    const publishing = Array.from({ length: 3 }, (_, turn) =>
      ann.tryCall(publishTopic, { tagId: from, title: `Turn ${turn}`, body: says('words') }),
    )
    const [removed, ...published] = await Promise.all([chief.tryCall(contract.removeTag, { tagId: from, to }), ...publishing])
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
