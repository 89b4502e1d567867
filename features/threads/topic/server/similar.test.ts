import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { similarTopics, topicsAlike } from '#topic/similar-contract.ts'
import { editTopic, removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { titleWords } from '#post/server/post.ts'
import { says } from '#writing/testing/factories.ts'

describe('a title is compared', () => {
  test('by its words if they are spaced, without stop words', () => {
    expect(titleWords('How to Brew the PERFECT Oolong, how?')).toEqual(['brew', 'perfect', 'oolong'])
  })

  test('by pairs of characters otherwise', () => {
    expect(titleWords('紫砂壶开裂')).toEqual(['紫砂', '砂壶', '壶开', '开裂'])
    expect(titleWords('用 Node24 写ＡＰＩ')).toEqual(['用', 'node24', '写', 'api'])
  })

  test('without end only up to an end', () => {
    expect(
      titleWords('字'.repeat(3) + Array.from({ length: 90 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')).length,
    ).toBeLessThanOrEqual(40)
    expect(titleWords('!!! 🍵')).toEqual([])
  })
})

describe('similar topics', () => {
  let forum: Forum
  let mei: Person
  let tagId: string

  beforeAll(async () => {
    forum = await aForum()
    tagId = await aTag(forum.database)
  })

  beforeEach(async () => {
    mei = await forum.member()
  })

  test('are found for a title that a member is typing, and not for visitors', async () => {
    const near = await aTopic(mei, tagId, { title: '春天的白茶怎么存放' })
    const { topics } = await mei.call(topicsAlike, { title: '白茶存放多久' })
    expect(topics.map(({ id }) => id)).toEqual([near])
    expect((await mei.call(topicsAlike, { title: '?!' })).topics).toEqual([])
    expect((await forum.visitor().tryCall(topicsAlike, { title: '白茶存放多久' })).status).toBe(401)
  })

  test('are about the same subject in either language, the nearest first', async () => {
    const topicId = await aTopic(mei, tagId, { title: '紫砂壶开裂了怎么办' })
    const near = await aTopic(mei, tagId, { title: '紫砂壶开裂，还能修吗' })
    const far = await aTopic(mei, tagId, { title: '这把紫砂壶值得买吗' })
    await aTopic(mei, tagId, { title: '爬山路线' })
    expect(await idsFor(topicId)).toEqual([near, far])
  })

  test('follow edits and removals', async () => {
    const topicId = await aTopic(mei, tagId, { title: 'Sourdough starter smells of vinegar' })
    const other = await aTopic(mei, tagId, { title: 'Feeding a sourdough starter' })
    expect(await idsFor(topicId)).toEqual([other])
    await mei.call(editTopic, { topicId: other, title: 'Never mind', body: says('gone') })
    expect(await idsFor(topicId)).toEqual([])
    await mei.call(editTopic, { topicId: other, title: 'Sourdough starter again', body: says('back') })
    expect(await idsFor(topicId)).toEqual([other])
    await mei.call(removeTopic, { topicId: other })
    expect(await idsFor(topicId)).toEqual([])
  })

  test('are cached for all readers, and shown only to readers with access', async () => {
    const insider = await forum.member()
    const { tagId: closedTag, admit } = await aClosedTag(forum.database)
    await admit(insider.id)
    const open = await aTopic(mei, tagId, { title: 'Gongfu brewing by the river' })
    const closed = await aTopic(insider, closedTag, { title: 'Gongfu brewing at night' })
    expect(await idsFor(open, insider)).toEqual([closed])
    expect(await idsFor(open)).toEqual([])
    expect(await idsFor(open, insider)).toEqual([closed])
  })

  async function idsFor(topicId: string, reader: Pick<Person, 'call'> = forum.visitor()): Promise<string[]> {
    const { topics } = await reader.call(similarTopics, { topicId })
    return topics.map((topic) => topic.id)
  }
})
