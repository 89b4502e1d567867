import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cell, Paragraph } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { documentWith, mention, paragraph, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

// New people and a new topic for every test, because of the rate limits for posts.
beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
  topicId = await aTopic(mei, tagId)
})

const listed = () => forum.visitor().call(contract.listComments, { topicId })

test('a comment is on its floor, public, and counts at once', async () => {
  await listed()
  const { commentId, floor } = await tom.call(contract.addComment, { topicId, body: says('Well <said>') })
  expect(floor).toBe(1)
  expect(await listed()).toMatchObject({
    total: 1,
    page: 1,
    pages: 1,
    comments: [
      { id: commentId, floor: 1, isDeleted: false, author: { id: tom.id }, segments: [{ html: '<p>Well &lt;said&gt;</p>' }], quote: null },
    ],
  })
  expect(await topicNow()).toMatchObject({ commentCount: 1, floors: 1, authorFloors: 0 })
  expect((await tom.call(home, {})).counts?.comments).toBe(1)
  const { topics } = await forum.visitor().call(listTopics, { tagId })
  expect(topics[0]).toMatchObject({ id: topicId, commentCount: 1, lastReplyBy: { id: tom.id } })
})

test('sent twice with one key, a comment is made once', async () => {
  const key = { 'idempotency-key': 'one-key-for-one-comment' }
  const send = () => tom.call(contract.addComment, { topicId, body: says('once') }, key)
  const [first, second] = await Promise.all([send(), send()])
  expect(second).toEqual(first)
  expect(await send()).toEqual(first)
  expect((await listed()).total).toBe(1)
})

test('fifty at once get the floors one to fifty, and every count is right', async () => {
  const people = [mei, tom, await forum.member(), await forum.member(), await forum.member()]
  const answers = await Promise.all(
    people.flatMap((person) => Array.from({ length: 10 }, () => person.call(contract.addComment, { topicId, body: says('now') }))),
  )
  expect(answers.map((answer) => answer.floor).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  )
  expect(await topicNow()).toMatchObject({ commentCount: 50, floors: 50, authorFloors: 10 })
  for (const person of people) expect((await person.call(home, {})).counts?.comments).toBe(10)
  const { comments } = await forum.visitor().call(contract.listComments, { topicId, page: 2, onlyAuthor: false })
  const times = comments.map((comment) => comment.publishedAt)
  expect(times).toEqual([...times].sort())
})

describe('replies', () => {
  test('stand under their comment, oldest first, with the member they answer', async () => {
    const commentId = await aComment(tom, topicId)
    const first = await aReply(mei, commentId, { body: says('First') })
    const second = await aReply(tom, commentId, { body: says('Second'), answers: first })
    const { comments } = await listed()
    expect(comments[0]).toMatchObject({
      replyCount: 2,
      replies: [
        { id: first, answers: null },
        { id: second, answers: { replyId: first, author: { id: mei.id } } },
      ],
    })
    expect(await topicNow()).toMatchObject({ commentCount: 3, floors: 1 })
    expect((await tom.call(home, {})).counts).toMatchObject({ comments: 1, replies: 1 })
  })

  test('come ten at first and the rest when asked for, each once', async () => {
    const commentId = await aComment(tom, topicId)
    const ids: string[] = []
    for (let index = 0; index < 36; index++) ids.push(await aReply(index % 2 ? mei : tom, commentId))
    const firstIds = (await listed()).comments[0]?.replies.map((reply) => reply.id) ?? []
    expect(firstIds).toEqual(ids.slice(0, 10))
    const next = await mei.call(contract.listReplies, { topicId, commentId, after: firstIds.at(-1) })
    const last = await mei.call(contract.listReplies, { topicId, commentId, after: next.replies.at(-1)?.id })
    expect([next.hasMore, last.hasMore]).toEqual([true, false])
    expect([...firstIds, ...next.replies.map((reply) => reply.id), ...last.replies.map((reply) => reply.id)]).toEqual(ids)

    const target = ids[24] ?? ''
    const jumped = await mei.call(contract.listComments, { topicId, replyId: target })
    expect(jumped.comments[0]?.replies.at(-1)?.id).toBe(target)
  })

  test('may hold paragraphs, pictures, links and mentions only', async () => {
    const commentId = await aComment(tom, topicId)
    const body = documentWith({ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Loud' }] })
    const reply = { kind: 'reply', id: await aReply(tom, commentId) } as const
    for (const { status, error } of [
      await tom.tryCall(contract.addReply, { commentId, body }),
      await tom.tryCall(contract.editRemark, { ...reply, body }),
      await tom.tryCall(contract.editRemark, { ...reply, body: says('x'.repeat(2_001)) }),
    ])
      expect([status, Object.keys(error)]).toEqual([422, ['body']])
    await tom.call(contract.editRemark, { kind: 'comment', id: commentId, body })
  })

  test('answer only replies to the same comment', async () => {
    const elsewhere = await aReply(mei, await aComment(tom, topicId))
    const commentId = await aComment(tom, topicId)
    expect(await tom.isRefused(contract.addReply, { commentId, answers: elsewhere, body: says('Hm') }, contract.AnsweredGone)).toBe(true)
  })
})

describe('quotes', () => {
  test('read as the quoted comment reads now, and quote one comment alone', async () => {
    const quoted = await aComment(tom, topicId, { body: says('Old words') })
    const middle = await aComment(mei, topicId, { body: says('Middle'), quotes: quoted })
    await aComment(tom, topicId, { body: says('Last'), quotes: middle })
    await tom.call(contract.editRemark, { kind: 'comment', id: quoted, body: says('New words') })
    const [, second, third] = (await listed()).comments
    expect(second?.quote).toEqual({
      commentId: quoted,
      topicId,
      floor: 1,
      author: { id: tom.id, name: tom.account },
      text: 'New words',
      only: null,
      isDeleted: false,
    })
    expect(third?.quote).toMatchObject({ commentId: middle, text: 'Middle' })
    expect(JSON.stringify(third)).not.toContain('words')
  })

  test('describe a quoted comment without text by its content', async () => {
    const { file } = (await sendFile(tom, '/file/picture', { bytes: await plain({ width: 8, height: 8 }).png().toBuffer() })).json()
    const cell: Cell = { type: 'tableHeader', attrs: { align: null }, content: [says('Cup').content[0] as Paragraph] }
    const bodies = [
      documentWith(picture(file)),
      documentWith({ type: 'blockquote', content: [picture(file)] }),
      documentWith({ type: 'table', content: [{ type: 'tableRow', content: [cell] }] }),
      documentWith({ type: 'codeBlock', attrs: { language: 'sql' }, content: [{ type: 'text', text: 'select 1' }] }),
      documentWith(...says('See').content, picture(file)),
    ]
    for (const body of bodies) await aComment(mei, topicId, { quotes: await aComment(tom, topicId, { body }) })
    const quotes = (await listed()).comments.flatMap(({ quote }) => (quote ? [[quote.only, quote.text]] : []))
    expect(quotes).toEqual([
      ['picture', ''],
      ['picture', ''],
      ['table', 'Cup'],
      ['code', 'select 1'],
      [null, 'See'],
    ])
  })

  test('are empty once the quoted comment is removed', async () => {
    const quoted = await aComment(tom, topicId, { body: says('Regretted words') })
    await aComment(mei, topicId, { quotes: quoted })
    await tom.call(contract.removeRemark, { kind: 'comment', id: quoted })
    const answer = await listed()
    expect(answer.comments[1]?.quote).toMatchObject({ commentId: quoted, floor: 1, author: null, text: '', only: null, isDeleted: true })
    expect(JSON.stringify(answer)).not.toMatch(/Regretted/)
  })

  test('are of the same topic and on the page', async () => {
    const elsewhere = await aComment(tom, await aTopic(mei, tagId))
    const removed = await aComment(tom, topicId)
    await tom.call(contract.removeRemark, { kind: 'comment', id: removed })
    for (const quotes of [elsewhere, removed, '999999999']) {
      expect(await tom.isRefused(contract.addComment, { topicId, quotes, body: says('Hm') }, contract.QuoteGone)).toBe(true)
    }
  })
})

describe('editing and removing', () => {
  test('an edit keeps the earlier version, readable for everyone', async () => {
    const commentId = await aComment(tom, topicId, { body: says('One') })
    const replyId = await aReply(tom, commentId, { body: says('One') })
    await tom.call(contract.editRemark, { kind: 'comment', id: commentId, body: says('Two') })
    await tom.call(contract.editRemark, { kind: 'comment', id: commentId, body: says('Two') })
    await tom.call(contract.editRemark, { kind: 'reply', id: replyId, body: says('Two') })
    expect((await tom.call(contract.remarkSource, { kind: 'comment', id: commentId })).body).toEqual(says('Two'))
    expect((await tom.call(contract.remarkSource, { kind: 'reply', id: replyId })).body).toEqual(says('Two'))
    const [comment] = (await listed()).comments
    expect(comment?.editedAt).not.toBeNull()
    expect(comment?.replies[0]?.editedAt).not.toBeNull()

    const visitor = forum.visitor()
    const histories = await Promise.all([
      visitor.call(contract.remarkHistory, { topicId, kind: 'comment', id: commentId }),
      visitor.call(contract.remarkHistory, { topicId, kind: 'reply', id: replyId }),
    ])
    for (const { versions } of histories) expect(versions.map((version) => version.segments[0]?.html)).toEqual(['<p>Two</p>', '<p>One</p>'])
  })

  test('a removed comment keeps its floor and its replies, and says nothing more', async () => {
    const first = await aComment(tom, topicId, { body: says('Regretted') })
    await aReply(mei, first, { body: says('Kept') })
    await aComment(mei, topicId)
    await tom.call(contract.removeRemark, { kind: 'comment', id: first })
    const answer = await listed()
    expect(answer.comments[0]).toMatchObject({ floor: 1, isDeleted: true, author: null, segments: [], quote: null, replyCount: 1 })
    expect(answer.comments[0]?.replies[0]?.segments).toEqual([{ html: '<p>Kept</p>' }])
    expect(JSON.stringify(answer)).not.toContain('Regretted')
    expect(await topicNow()).toMatchObject({ commentCount: 2, floors: 2 })
    expect((await tom.call(home, {})).counts?.comments).toBe(0)
    expect((await tom.call(contract.addComment, { topicId, body: says('Again') })).floor).toBe(3)

    const removedComment = { kind: 'comment', id: first } as const
    expect((await tom.tryCall(contract.remarkHistory, { topicId, ...removedComment })).status).toBe(404)
    expect((await tom.tryCall(contract.remarkSource, removedComment)).status).toBe(404)
    expect((await tom.tryCall(contract.editRemark, { ...removedComment, body: says('x') })).status).toBe(404)
    expect((await tom.tryCall(contract.removeRemark, removedComment)).status).toBe(404)
    expect((await tom.tryCall(contract.addReply, { commentId: first, body: says('x') })).status).toBe(404)
  })

  test('a removed reply is gone, and a reply to it answers no one', async () => {
    const commentId = await aComment(tom, topicId)
    const first = await aReply(mei, commentId, { body: says('Regretted') })
    await aReply(tom, commentId, { answers: first })
    await mei.call(contract.removeRemark, { kind: 'reply', id: first })
    const [comment] = (await listed()).comments
    expect(comment).toMatchObject({ replyCount: 1, replies: [{ answers: { replyId: first, author: null } }] })
    expect(await topicNow()).toMatchObject({ commentCount: 2 })
    expect((await mei.call(home, {})).counts?.replies).toBe(0)
  })

  test('without its newest comment, the topic shows the author of the one before', async () => {
    const lastReplyBy = async () =>
      (await forum.visitor().call(listTopics, { tagId })).topics.find((topic) => topic.id === topicId)?.lastReplyBy?.id ?? null
    const commentId = await aComment(mei, topicId)
    const replyId = await aReply(tom, commentId)
    expect(await lastReplyBy()).toBe(tom.id)
    await tom.call(contract.removeRemark, { kind: 'reply', id: replyId })
    expect(await lastReplyBy()).toBe(mei.id)
    await mei.call(contract.removeRemark, { kind: 'comment', id: commentId })
    expect(await lastReplyBy()).toBeNull()
  })
})

test('a mention in a comment shows the name that the member goes by now', async () => {
  const commentId = await aComment(tom, topicId, { body: documentWith(paragraph(mention(mei.id))) })
  await aReply(tom, commentId, { body: documentWith(paragraph(mention(mei.id))) })
  const html = `<p><a class="mention" href="/user/control/home?userId=${mei.id}">@${mei.account}</a></p>`
  const [comment] = (await listed()).comments
  expect([comment?.segments[0]?.html, comment?.replies[0]?.segments[0]?.html]).toEqual([html, html])
})

test("members' own lists show the places of their posts, without removed ones", async () => {
  const keptCommentId = await aComment(tom, topicId, { body: says('Kept') })
  const removed = await aComment(tom, topicId, { body: says('Removed') })
  const replyId = await aReply(tom, keptCommentId, { body: says('A reply') })
  await tom.call(contract.removeRemark, { kind: 'comment', id: removed })
  expect(await mei.call(contract.memberRemarks, { kind: 'comment', userId: tom.id })).toMatchObject({
    total: 1,
    remarks: [{ id: keptCommentId, commentId: keptCommentId, topicId, floor: 1, text: 'Kept' }],
  })
  expect(await tom.call(contract.memberRemarks, { kind: 'reply' })).toMatchObject({
    total: 1,
    remarks: [{ id: replyId, commentId: keptCommentId, text: 'A reply' }],
  })
})

function topicNow() {
  return forum.visitor().call(thread, { topicId })
}
