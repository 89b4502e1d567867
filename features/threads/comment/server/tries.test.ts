import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic, publishTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const empty = says(' ')

let forum: Forum
let tag: string
let mei: Person
let topicId: string
let commentId: string

beforeAll(async () => {
  forum = await aForum()
  tag = await aTag(forum.database, { name: 'tea' })
})

beforeEach(async () => {
  mei = await forum.member()
  topicId = await aTopic(mei, tag)
  commentId = await aComment(mei, topicId)
})

test('refused attempts at a topic do not count towards the posting limit', async () => {
  for (const _ of Array(12)) expect((await mei.tryCall(publishTopic, { tagId: tag, title: 'Mended', body: empty })).status).toBe(422)
  for (const _ of Array(12)) expect((await mei.tryCall(editTopic, { topicId, title: 'Mended', body: empty })).status).toBe(422)
  await mei.call(publishTopic, { tagId: tag, title: 'Mended', body: says('at last') })
  await mei.call(editTopic, { topicId, title: 'Mended', body: says('this too') })
})

test('refused attempts at a comment or a reply do not count towards the posting limit', async () => {
  for (const _ of Array(31)) {
    expect((await mei.tryCall(contract.addComment, { topicId, body: empty })).status).toBe(422)
    expect((await mei.tryCall(contract.addReply, { commentId, body: empty })).status).toBe(422)
    expect((await mei.tryCall(contract.editRemark, { kind: 'comment', id: commentId, body: empty })).status).toBe(422)
  }
  await mei.call(contract.addComment, { topicId, body: says('one more cup') })
  await mei.call(contract.editRemark, { kind: 'comment', id: commentId, body: says('mended') })
  const { replyId } = await mei.call(contract.addReply, { commentId, body: says('and a reply') })
  for (const _ of Array(20)) expect((await mei.tryCall(contract.editRemark, { kind: 'reply', id: replyId, body: empty })).status).toBe(422)
  await mei.call(contract.editRemark, { kind: 'reply', id: replyId, body: says('mended') })
})

test('accepted posts count towards the posting limit, and attempts have a limit of their own', async () => {
  const responses = []
  for (const round of Array(6).keys())
    responses.push(await mei.tryCall(publishTopic, { tagId: tag, title: `Topic ${round}`, body: says(`${round}`) }))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])

  const tom = await forum.member()
  for (const _ of Array(60)) expect((await tom.tryCall(publishTopic, { tagId: tag, title: 'Again', body: empty })).status).toBe(422)
  expect((await tom.tryCall(publishTopic, { tagId: tag, title: 'Again', body: says('now') })).status).toBe(429)
})
