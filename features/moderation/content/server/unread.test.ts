import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import * as tags from '#tag/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

async function aSecret() {
  const { tagId, roleId, admit } = await aClosedTag(forum.database)
  const ann = await forum.member()
  await admit(ann.id)
  const topicId = await aTopic(ann, tagId)
  return { tagId, roleId, topicId, commentId: await aComment(ann, topicId) }
}

const statusFor = async (topicId: string) => (await forum.visitor().tryCall(thread, { topicId })).status

test('staff with the right to edit posts but not to read them cannot move any to where others can read them', async () => {
  const [editor, reader] = [await aStaffer(forum, ['content.edit']), await aStaffer(forum, ['content.edit', 'content.view'])]
  const [{ topicId, commentId }, open] = [await aSecret(), await aTag(forum.database)]
  const own = await aTopic(await forum.member(), open)
  const ways = [
    () => editor.tryCall(contract.moveTopic, { topicId, tagId: open }),
    () => editor.tryCall(mergeTopics, { topicIds: [topicId], to: own }),
    () => editor.tryCall(moveComments, { topicId, commentIds: [commentId], to: own }),
    () => editor.tryCall(splitTopic, { topicId, commentIds: [commentId], title: 'Out in the open', tagId: open }),
  ]
  for (const way of ways) expect((await way()).status).toBe(403)
  expect(await statusFor(topicId)).toBe(403)
  await reader.call(contract.moveTopic, { topicId, tagId: open })
  expect(await statusFor(topicId)).toBe(200)
})

test('staff with the right to manage tags but not to read posts cannot open a restricted tag, or move posts out of it', async () => {
  const clerk = await aStaffer(forum, ['tag.manage'])
  const [{ tagId, roleId, topicId }, open] = [await aSecret(), await aTag(forum.database)]
  const { version } = (await chief.call(tags.tagsForStaff, {})).tags.find(({ id }) => id === tagId) ?? { version: 0 }
  const names = { key: 'a-secret', nameZh: '密室', nameEn: 'A closed room' }
  const access = [{ roleId, may: 'post' as const }]
  const [{ id: everybody } = { id: '' }] = (await chief.call(tags.tagsForStaff, {})).roles.filter(({ isDefault }) => isDefault)
  const wider = [{ isRestricted: false }, { isRestricted: true, access: [...access, { roleId: everybody, may: 'view' as const }] }]
  for (const one of wider) expect(await clerk.isRefused(tags.editTag, { tagId, version, ...names, ...one }, MoreThanOwn)).toBe(true)
  expect(await clerk.isRefused(contract.removeTag, { tagId, to: open }, MoreThanOwn)).toBe(true)
  expect(await statusFor(topicId)).toBe(403)
  await clerk.call(tags.editTag, { tagId, version, ...names, isRestricted: true, access })
  await chief.call(contract.removeTag, { tagId, to: open })
  expect(await statusFor(topicId)).toBe(200)
})
