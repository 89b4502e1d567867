import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import { moveTopic } from '#content/contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import { editQuestion, listQuestions } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { approveReview, openReview, reviewQueue } from '#review/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import tagWords from '#tag/words/en.json' with { type: 'json' }
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import * as contract from '#topic/contract.ts'
import words from '#topic/words/en.json' with { type: 'json' }
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let tom: Person
let above: string
let tea: string
let cups: string

beforeAll(async () => {
  forum = await aForum()
})

beforeEach(async () => {
  await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'nobody' }))
  above = await aTag(forum.database)
  tea = await aTag(forum.database, { under: above })
  cups = await aTag(forum.database, { under: above })
  ;[mei, tom] = [await forum.member(), await forum.member()]
})

/** A restricted tag in which these members may post. */
async function aRoom(...members: Person[]): Promise<string> {
  const place = await aClosedTag(forum.database)
  for (const { id } of members) await place.admit(id)
  return place.tagId
}

type List = { tagId: string; sort?: 'reply' | 'new' | 'hot'; featured?: boolean }

async function listed(who: Pick<Person, 'call'>, query: List): Promise<string[]> {
  const { topics, total } = await who.call(contract.listTopics, query)
  expect(total).toBe(topics.length)
  return topics.map(({ id }) => id)
}

async function tagsOf(topicId: string, who: Pick<Person, 'call'> = forum.visitor()): Promise<string[]> {
  return (await who.call(contract.thread, { topicId })).tags.map(({ id }) => id)
}

const titled = (title: string) => ({ title, body: says(`What ${title} says.`) })

describe('a topic with further tags', () => {
  test('is listed under each of them, once under a parent tag, in every order, and cached lists follow its changes', async () => {
    const [far, near] = [await aTag(forum.database), await aTag(forum.database, { under: above })]
    const orders = ['reply', 'new', 'hot'] as const
    for (const sort of orders) expect(await listed(forum.visitor(), { tagId: far, sort })).toEqual([])
    const { topicId } = await mei.call(contract.publishTopic, { tagId: tea, tagIds: [far, near, tea], ...titled('On kettles') })
    for (const tagId of [far, near, tea, above])
      for (const sort of orders) expect(await listed(forum.visitor(), { tagId, sort })).toEqual([topicId])
    const { topics } = await forum.visitor().call(contract.listTopics, { tagId: far })
    expect(topics.map(({ tags, place }) => [tags.map(({ id }) => id), place.id])).toEqual([[[tea, far, near], tea]])
    expect(await tagsOf(topicId)).toEqual([tea, far, near])
    expect((await forum.visitor().call(listQuestions, { tagId: far })).total).toBe(0)

    await tom.call(addComment, { topicId, body: says('Of iron?') })
    const [card] = (await forum.visitor().call(contract.listTopics, { tagId: far })).topics
    expect(card?.commentCount).toBe(1)
    await mei.call(contract.editTopic, { topicId, tagIds: [near], ...titled('On kettles') })
    expect(await listed(forum.visitor(), { tagId: far })).toEqual([])
    expect(await listed(forum.visitor(), { tagId: near })).toEqual([topicId])
    await mei.call(contract.editTopic, { topicId, ...titled('On old kettles') })
    expect(await tagsOf(topicId)).toEqual([tea, near])
    await mei.call(contract.removeTopic, { topicId })
    for (const tagId of [near, above]) expect(await listed(forum.visitor(), { tagId })).toEqual([])
    expect(await wrongCounts(forum.database.app)).toEqual([])
  })

  test('is visible only with access to the first, and shows only the tags its reader has access to', async () => {
    const [room, open] = [await aRoom(mei), await aTag(forum.database)]
    const { topicId: secret } = await mei.call(contract.publishTopic, { tagId: room, tagIds: [open], ...titled('In the room') })
    const { topicId: openTopicId } = await mei.call(contract.publishTopic, { tagId: open, tagIds: [room], ...titled('In the open') })
    expect(await listed(mei, { tagId: open, sort: 'new' })).toEqual([openTopicId, secret])
    expect(await listed(forum.visitor(), { tagId: open })).toEqual([openTopicId])
    expect([await tagsOf(openTopicId), await tagsOf(openTopicId, mei)]).toEqual([[open], [open, room]])
    await forum.database.app.updateTable('topic').set({ featured_at: new Date() }).where('id', '=', secret).execute()
    await transact(forum.database, (tx) => Promise.resolve(invalidate(tx, `tag:${open}`)))
    expect(await listed(mei, { tagId: open, featured: true })).toEqual([secret])
    expect(await listed(forum.visitor(), { tagId: open, featured: true })).toEqual([])
    const edit = { topicId: openTopicId, ...titled('In the open') }
    expect((await mei.call(contract.editableTopic, { topicId: openTopicId })).tagIds).toEqual([room])
    expect(await tom.tryCall(contract.publishTopic, { tagId: open, tagIds: [room], ...titled('Not mine') })).toMatchObject({
      status: 422,
      body: { error: { tagIds: tagWords.furtherNotOpen } },
    })
    await mei.call(contract.editTopic, { ...edit, tagIds: [] })
    expect(await tagsOf(openTopicId, mei)).toEqual([open])
  })

  test('has as many as the site says', async () => {
    const tags = await Promise.all(Array.from({ length: 5 }, () => aTag(forum.database)))
    const wish = { tagId: tea, tagIds: tags, ...titled('Too many') }
    expect(await mei.tryCall(contract.publishTopic, wish)).toMatchObject({
      status: 422,
      body: { error: { tagIds: 'Choose at most 5 tags.' } },
    })
    expect((await mei.call(contract.topicForm, {})).mostTags).toBe(5)
  })
})

describe('an author moves a topic', () => {
  test('to another tag with posting rights, and lists and counts go with it', async () => {
    const topicId = await aTopic(mei, tea, { title: 'On clay' })
    await tom.call(addComment, { topicId, body: says('Red or brown?') })
    await mei.call(contract.editTopic, { topicId, tagId: cups, tagIds: [tea], ...titled('On clay') })
    expect(await tagsOf(topicId)).toEqual([cups, tea])
    for (const tagId of [cups, tea]) expect(await listed(forum.visitor(), { tagId })).toEqual([topicId])
    await mei.call(contract.editTopic, { topicId, tagId: tea, tagIds: [], ...titled('On clay') })
    expect(await listed(forum.visitor(), { tagId: cups })).toEqual([])
    expect(await listed(forum.visitor(), { tagId: tea })).toEqual([topicId])
    await mei.call(contract.removeTopic, { topicId })
    expect(await wrongCounts(forum.database.app)).toEqual([])
  })

  test('a question likewise, with the right to ask', async () => {
    const questionId = await aQuestion(mei, tea)
    await mei.call(editQuestion, { questionId, tagId: cups, ...titled('Which clay') })
    expect((await forum.visitor().call(listQuestions, { tagId: cups })).questions.map(({ id }) => id)).toEqual([questionId])
    expect((await forum.visitor().call(listQuestions, { tagId: tea })).total).toBe(0)
    expect(await wrongCounts(forum.database.app)).toEqual([])
  })

  test('but not to a tag without posting rights, nor another’s topic, nor into a tag with child tags', async () => {
    const [topicId, room] = [await aTopic(mei, tea), await aRoom(tom)]
    for (const tagId of [room, above, '999999'])
      expect(await mei.tryCall(contract.editTopic, { topicId, tagId, ...titled('Elsewhere') })).toMatchObject({
        status: 422,
        body: { error: { tagId: tagWords.notOpen } },
      })
    expect((await tom.tryCall(contract.editTopic, { topicId, tagId: cups, ...titled('Not mine') })).status).toBe(403)
    expect(await tagsOf(topicId)).toEqual([tea])
  })

  test('into a closed tag or out of it only without posts of others', async () => {
    const [topicId, room] = [await aTopic(mei, tea), await aRoom(mei, tom)]
    const wish = { topicId, ...titled('In the room') }
    await mei.call(contract.editTopic, { ...wish, tagId: room })
    expect((await forum.visitor().tryCall(contract.thread, { topicId })).status).toBe(403)
    await tom.call(addComment, { topicId, body: says('Between us.') })
    expect(await mei.tryCall(contract.editTopic, { ...wish, tagId: tea })).toMatchObject({
      status: 422,
      body: { error: { tagId: words.moveIsForStaff } },
    })
    const chief = await aStaffer(forum)
    await chief.call(moveTopic, { topicId, tagId: tea })
    expect(await mei.tryCall(contract.editTopic, { ...wish, tagId: room })).toMatchObject({
      body: { error: { tagId: words.moveIsForStaff } },
    })
    expect(await tagsOf(topicId)).toEqual([tea])
  })

  test('and with review of edits, it stays until staff approve', async () => {
    const [chief, other] = [await aStaffer(forum), await aTag(forum.database)]
    const topicId = await aTopic(mei, tea, { title: 'On water' })
    await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'everybody' }))
    const edit = { topicId, tagId: other, tagIds: [cups], ...titled('On water') }
    expect((await mei.call(contract.editTopic, edit)).isPending).toBe(true)
    expect(await tagsOf(topicId)).toEqual([tea])
    expect(await mei.call(contract.editableTopic, { topicId })).toMatchObject({ place: { id: other }, tagIds: [cups] })
    const { id: reviewId = '', version = 0 } = (await chief.call(reviewQueue, {})).rows[0] ?? {}
    expect(await chief.call(openReview, { reviewId })).toMatchObject({
      tags: [{ id: other }, { id: cups }],
      present: { tags: [{ id: tea }] },
    })
    await chief.call(approveReview, { reviewId, version })
    expect(await tagsOf(topicId)).toEqual([other, cups])
    expect(await wrongCounts(forum.database.app)).toEqual([])
  })
  test('and out of a closed tag not after others wrote there during the review', async () => {
    const [chief, room] = [await aStaffer(forum), await aRoom(mei, tom)]
    await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'nobody' }))
    const topicId = await aTopic(mei, room, { title: 'In the room' })
    await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'everybody' }))
    await mei.call(contract.editTopic, { topicId, tagId: tea, tagIds: [cups], ...titled('In the open') })
    await tom.call(addComment, { topicId, body: says('Between us.') })
    const waiting = (await chief.call(reviewQueue, {})).rows.find((row) => row.topicId === topicId)
    await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
    expect((await forum.visitor().tryCall(contract.thread, { topicId })).status).toBe(403)
    expect(await mei.call(contract.thread, { topicId })).toMatchObject({ title: 'In the open', tags: [{ id: room }, { id: cups }] })
  })
})
