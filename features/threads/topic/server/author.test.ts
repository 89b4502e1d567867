import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { topicAuthor } from '#topic/similar-contract.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'

let forum: Forum
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

test('a topic page shows its author, with their other latest topics', async () => {
  const mei = await forum.member()
  const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  const ids: string[] = []
  for (const title of titles) ids.push(await aTopic(mei, tagId, { title }))
  await mei.call(removeTopic, { topicId: ids[1] ?? '' })

  const author = await authorOf(ids[5] ?? '')
  expect(author).toMatchObject({ user: { id: mei.id }, level: { rank: 2 }, counts: { topics: 5, comments: 0, replies: 0 } })
  expect(author.topics.map(({ title }) => title)).toEqual(['Five', 'Four', 'Three', 'One'])
})

test('an author who hides their activity has no counts here either', async () => {
  const tom = await forum.member()
  const topicId = await aTopic(tom, tagId)
  await aTopic(tom, tagId)
  await tom.call(editProfile, { nickname: '', showsActivity: false })
  const author = await authorOf(topicId)
  expect(author.user.id).toBe(tom.id)
  expect([author.counts, author.topics]).toEqual([null, []])
})

test('a topic in a closed tag is named only to members with access', async () => {
  const ann = await forum.member()
  const closed = await aClosedTag(forum.database)
  await closed.admit(ann.id)
  const topicId = await aTopic(ann, tagId, { title: 'Open' })
  const secret = await aTopic(ann, closed.tagId, { title: 'Closed' })
  expect((await ann.call(topicAuthor, { topicId })).topics.map(({ title }) => title)).toEqual(['Closed'])
  expect((await authorOf(topicId)).topics).toEqual([])
  expect((await forum.visitor().tryCall(topicAuthor, { topicId: secret })).status).toBe(404)
})

test('the author’s new comments in the thread count at once, and removed ones do not', async () => {
  const [sam, guest] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(sam, tagId)
  expect((await authorOf(topicId)).counts).toMatchObject({ comments: 0, replies: 0 })
  const commentId = await aComment(sam, topicId)
  await aReply(sam, await aComment(guest, topicId))
  expect((await authorOf(topicId)).counts).toMatchObject({ comments: 1, replies: 1 })
  await sam.call(removeRemark, { kind: 'comment', id: commentId })
  expect((await authorOf(topicId)).counts).toMatchObject({ comments: 0, replies: 1 })
})

function authorOf(topicId: string) {
  return forum.visitor().call(topicAuthor, { topicId })
}
