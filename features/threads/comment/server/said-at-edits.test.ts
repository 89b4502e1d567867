import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { addComment, editRemark, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { setModerator } from '#role/server/role.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic, publishTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { SaidAlready } from '#writing/contract.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person
let topicId: string
/** Two comments of Tom's: the content of the first, and another. */
let first: string
let second: string

const long = 'A text long enough to count as the same wherever it stands'
const other = 'Another text, as long as that, that says something else'

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  await transact(forum.database, (tx) => applySettings(tx, { ...lenientSettings, duplicateWindowHours: 24 }))
  mei = await forum.member()
  tom = await forum.member()
  topicId = await aTopic(mei, tagId)
  first = await aComment(tom, topicId, { body: says(long) })
  second = await aComment(tom, topicId, { body: says(other) })
})

test('an edit cannot repeat another post of its author, of any kind', async () => {
  expect(await tom.isRefused(editRemark, { kind: 'comment', id: second, body: says(long) }, SaidAlready)).toBe(true)
  const replyId = await aReply(tom, await aComment(mei, topicId))
  expect(await tom.isRefused(editRemark, { kind: 'reply', id: replyId, body: says(long.toUpperCase()) }, SaidAlready)).toBe(true)
  const { topicId: mine } = await tom.call(publishTopic, { tagId, title: 'Mine', body: says('Something of my own') })
  expect(await tom.isRefused(editTopic, { topicId: mine, title: 'Mine', body: says(long) }, SaidAlready)).toBe(true)
  expect((await tom.call(editRemark, { kind: 'comment', id: second, body: says(`${other}, better`) })).isPending).toBe(false)
})

test('a new post cannot repeat the text of an edit', async () => {
  await tom.call(editRemark, { kind: 'comment', id: second, body: says(`${other}, better`) })
  expect(await tom.isRefused(addComment, { topicId, body: says(`${other}, better`) }, SaidAlready)).toBe(true)
  await tom.call(removeRemark, { kind: 'comment', id: second })
  await tom.call(addComment, { topicId, body: says(`${other}, better`) })
})

test('a post may keep its text, and return to its earlier text', async () => {
  const bold = documentWith(paragraph({ type: 'text', text: long, marks: [{ type: 'bold' }] }))
  await tom.call(editRemark, { kind: 'comment', id: first, body: bold })
  await tom.call(editRemark, { kind: 'comment', id: first, body: says('Something short') })
  await tom.call(editRemark, { kind: 'comment', id: first, body: says(long) })
})

test('a post may return to its earlier text even after another post has repeated it', async () => {
  await forum.database.app.deleteFrom('post_fingerprint').where('member_id', '=', tom.id).execute()
  await aReply(tom, first, { body: says(long) })
  await tom.call(editRemark, { kind: 'comment', id: first, body: says('Something short') })
  await tom.call(editRemark, { kind: 'comment', id: first, body: says(long) })
  expect(await tom.isRefused(editRemark, { kind: 'comment', id: second, body: says(long) }, SaidAlready)).toBe(true)
})

test('a short text is the same only in its place, at edits too', async () => {
  const elsewhere = await aTopic(mei, tagId)
  await aComment(tom, topicId, { body: says('谢谢') })
  const there = await aComment(tom, elsewhere)
  await tom.call(editRemark, { kind: 'comment', id: there, body: says('谢谢') })
  expect(await tom.isRefused(editRemark, { kind: 'comment', id: second, body: says('谢谢') }, SaidAlready)).toBe(true)
})

test('the rule ends with its hours, and ignores the posts of others', async () => {
  const another = await aComment(mei, topicId)
  await mei.call(editRemark, { kind: 'comment', id: another, body: says(long) })
  await forum.database.app.transaction().execute((tx) => setModerator(tx, mei.id, true))
  await mei.call(editRemark, { kind: 'comment', id: second, body: says(long), reason: 'Order' })
  await forum.database.app
    .updateTable('post_fingerprint')
    .set({ said_at: sql<Date>`clock_timestamp() - interval '25 hours'` })
    .where('member_id', '=', tom.id)
    .execute()
  const third = await aComment(tom, topicId)
  await tom.call(editRemark, { kind: 'comment', id: third, body: says(long) })
})

test('two edits at once with one text end with one of them', async () => {
  const same = says('Two hands write the very same words at once')
  const tries = [first, second].map((commentId) => tom.tryCall(editRemark, { kind: 'comment', id: commentId, body: same }))
  expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, 422])
})
