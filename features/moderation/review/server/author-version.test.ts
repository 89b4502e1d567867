import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as comments from '#comment/contract.ts'
import { editRemarkAsStaff, remarkForStaff, topicForStaff } from '#content/contract.ts'
import * as contract from '#review/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let chief: Staffer
let tom: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  chief = await aStaffer(forum)
  topicId = await aTopic(await forum.member(), tagId)
  await aList(chief, 'review', 'perhaps')
})
beforeEach(async () => {
  tom = await forum.member()
})

const own = () => tom.call(contract.ownWaiting, {}).then(({ posts }) => posts)

async function decided(postId: string, kind = 'comment') {
  const { rows } = await chief.call(contract.reviewQueue, { size: 200 })
  const found = rows.find((row) => row.postId === postId && row.kind === kind)
  if (!found) throw new Error(`${kind} ${postId} does not wait`)
  return { reviewId: found.id, version: found.version }
}

async function waitingComment(): Promise<string> {
  return (await tom.call(comments.addComment, { topicId, body: says('Perhaps this one') })).commentId
}

const findComment = async (commentId: string) =>
  (await forum.visitor().call(comments.listComments, { topicId })).comments.find(({ id }) => id === commentId)

const editor = () => aStaffer(forum, ['content.review', 'content.edit', 'content.view', 'audit.view'])

test('text by staff for a post in review is shown as theirs once it is approved, and staff keep the author’s text', async () => {
  await transact(forum.database, (tx) => setting.change(tx, 'reviewTopics', 'everybody', 'test'))
  const { topicId: waits } = await tom.call(topics.publishTopic, { tagId, title: 'My own title', body: says('My own words') })
  const ivy = await editor()
  const before = await decided(waits, 'topic')
  const { version } = await ivy.call(contract.editReview, { ...before, title: 'A better title', body: says('Better words') })
  expect(await own()).toMatchObject([{ isEditedByStaff: true, segments: [{ html: '<p>Better words</p>' }] }])
  expect(await chief.call(contract.openReview, { reviewId: before.reviewId })).toMatchObject({
    own: { title: 'My own title', segments: [{ html: '<p>My own words</p>' }] },
    editedBy: { id: expect.any(String) },
  })
  await chief.call(contract.approveReview, { ...before, version })
  const seen = await forum.visitor().call(topics.thread, { topicId: waits })
  expect(seen).toMatchObject({ title: 'A better title', isEditedByStaff: true, editedAt: expect.any(String) })
  expect((await forum.visitor().call(topics.topicHistory, { topicId: waits })).versions).toHaveLength(1)
  const { versions } = await chief.call(topicForStaff, { topicId: waits })
  expect(versions).toMatchObject([{ title: 'My own title', writtenBy: { id: tom.id } }])
  const { rows } = await chief.call(auditLog, { about: `topic ${waits}`, action: 'review.edit' })
  expect(rows).toMatchObject([{ before: { version: 1 }, after: { version: 2 } }])
  expect(JSON.stringify(rows)).not.toMatch(/title|words/)
})

test('text by staff is marked in an edit and in a comment too, from any form', async () => {
  const commentId = await waitingComment()
  const { version } = await chief.call(remarkForStaff, { kind: 'comment', id: commentId })
  await chief.call(editRemarkAsStaff, { kind: 'comment', id: commentId, body: says('By another door'), version, reason: '' })
  await chief.call(contract.approveReview, await decided(commentId))
  expect(await findComment(commentId)).toMatchObject({ isEditedByStaff: true, segments: [{ html: '<p>By another door</p>' }] })

  await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Perhaps again') })
  const again = await decided(commentId)
  await chief.call(contract.editReview, { ...again, body: says('And again') })
  await chief.call(contract.approveReview, await decided(commentId))
  expect(await findComment(commentId)).toMatchObject({ isEditedByStaff: true, segments: [{ html: '<p>And again</p>' }] })
  const { versions } = await forum.visitor().call(comments.remarkHistory, { topicId, kind: 'comment', id: commentId })
  expect(versions.map(({ segments }) => segments[0]?.html)).toEqual(['<p>And again</p>', '<p>By another door</p>'])
  expect(await wordsOf(commentId)).toEqual(['<p>Perhaps again</p>', '<p>By another door</p>', '<p>Perhaps this one</p>'])
})

test('a post in review is the author’s again after their own edit', async () => {
  const commentId = await waitingComment()
  await chief.call(contract.editReview, { ...(await decided(commentId)), body: says('Of staff') })
  await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Perhaps mine') })
  expect(await own()).toMatchObject([{ isEditedByStaff: false }])
  await chief.call(contract.approveReview, await decided(commentId))
  expect(await findComment(commentId)).toMatchObject({ isEditedByStaff: false, editedAt: null })
})

test('editing a post in review takes the right to edit', async () => {
  const helper = await aStaffer(forum, ['content.review'])
  const draft = { ...(await decided(await waitingComment())), body: says('Theirs') }
  expect((await helper.tryCall(contract.editReview, draft)).status).toBe(403)
})

const wordsOf = async (commentId: string) =>
  (await chief.call(remarkForStaff, { kind: 'comment', id: commentId })).versions.map(({ segments }) => segments[0]?.html)
