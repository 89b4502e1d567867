import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { newestMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as batch from '#batch/contract.ts'
import { addComment, editRemark, listComments, movedThread, myThread } from '#comment/contract.ts'
import { markRead } from '#comment/reading-contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { topicsForStaff } from '#content/list-contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, removeTopic, thread, topicHistory } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let ann: Person
let tom: Person
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

beforeEach(async () => {
  ann = await forum.member()
  tom = await forum.member()
  mei = await forum.member()
  tagId = await aTag(forum.database)
})

const commentsOf = async (topicId: string) => (await forum.visitor().call(listComments, { topicId })).comments
const texts = async (topicId: string) => (await commentsOf(topicId)).map(({ floor, segments }) => [floor, segments[0]?.html ?? null])
const undoLast = async () => {
  const [{ id: batchId } = { id: '' }] = (await chief.call(batch.batches, {})).rows
  return chief.call(batch.undoBatch, { batchId })
}
const where = (input: { topicId: string; commentId?: string; replyId?: string; floor?: number }) => forum.visitor().call(movedThread, input)

/** Ann's topic, in which Tom digresses: floors 2 and 3 are off topic. */
async function strayed() {
  const topicId = await aTopic(ann, tagId, { title: 'Which kettle', body: says('Which kettle is quiet?') })
  const first = await aComment(mei, topicId, { body: says('A clay one') })
  const stray = await aComment(tom, topicId, { body: says('And which cups?') })
  const reply = await aReply(ann, stray, { body: says('Glass ones') })
  const { commentId: answer } = await mei.call(addComment, { topicId, body: says('White porcelain'), quotes: stray })
  const last = await aComment(ann, topicId, { body: says('A clay one it is') })
  return { topicId, first, stray, reply, answer, last }
}

describe('comments that make a topic of their own', () => {
  test('are opened by the oldest of them, with its author, time and history; the others follow with all replies', async () => {
    const { topicId, stray, reply, answer } = await strayed()
    await tom.call(editRemark, { kind: 'comment', id: stray, body: says('And which cups to take?') })
    const newTopic = await chief.call(splitTopic, { topicId, commentIds: [answer, stray], title: 'Which cups', tagId, reason: 'off topic' })
    expect(newTopic.moved).toBe(2)
    const cups = await forum.visitor().call(thread, { topicId: newTopic.topicId })
    expect(cups).toMatchObject({ title: 'Which cups', author: { id: tom.id }, commentCount: 2, floors: 2 })
    expect(cups.segments).toEqual([{ html: '<p>And which cups to take?</p>' }])
    const { versions } = await forum.visitor().call(topicHistory, { topicId: newTopic.topicId })
    expect(versions.map(({ segments }) => segments[0]?.html)).toEqual(['<p>And which cups to take?</p>', '<p>And which cups?</p>'])
    const under = await commentsOf(newTopic.topicId)
    expect(under).toMatchObject([
      { id: stray, floor: 1, isDeleted: true, movedTo: { topicId: newTopic.topicId, commentId: null }, replies: [{ id: reply }] },
      { id: answer, floor: 2, quote: { topicId: newTopic.topicId, floor: 0, text: 'And which cups to take?', author: { id: tom.id } } },
    ])
    expect((await forum.visitor().call(listTopics, { tagId })).topics).toMatchObject([
      { title: 'Which kettle', commentCount: 2 },
      { title: 'Which cups', commentCount: 2 },
    ])
  })

  test('keep the very moment when they were written, there and back', async () => {
    const { topicId, stray } = await strayed()
    const moment = async (table: 'topic' | 'comment', id: string) =>
      (
        await forum.database.app
          .selectFrom(table)
          .select(sql<string>`published_at::text`.as('at'))
          .where('id', '=', id)
          .executeTakeFirst()
      )?.at
    await sql`update comment set published_at = published_at + interval '7 microseconds' where id = ${stray}`.execute(forum.database.app)
    const written = await moment('comment', stray)
    const { topicId: newTopicId } = await chief.call(splitTopic, { topicId, commentIds: [stray], title: 'Which cups', tagId })
    expect(await moment('topic', newTopicId)).toBe(written)
    await undoLast()
    expect(await moment('comment', stray)).toBe(written)
  })

  test('leave a link to their new place at their floors', async () => {
    const { topicId, stray, reply, answer, last } = await strayed()
    const { topicId: cups } = await chief.call(splitTopic, { topicId, commentIds: [stray, answer], title: 'Which cups', tagId })
    const kettle = await commentsOf(topicId)
    expect(kettle.map(({ floor, movedTo }) => [floor, movedTo])).toEqual([
      [1, null],
      [2, { topicId: cups, commentId: null, title: 'Which cups' }],
      [3, { topicId: cups, commentId: answer, title: 'Which cups' }],
      [4, null],
    ])
    expect(await where({ topicId, commentId: stray })).toEqual({ topicId: cups, kind: 'topic', commentId: null, replyId: null })
    expect(await where({ topicId, commentId: answer })).toEqual({ topicId: cups, kind: 'topic', commentId: answer, replyId: null })
    expect(await where({ topicId, replyId: reply })).toEqual({ topicId: cups, kind: 'topic', commentId: null, replyId: reply })
    expect((await forum.visitor().tryCall(movedThread, { topicId, commentId: last })).status).toBe(404)
  })

  test('return to their floors with the undo, together with later replies', async () => {
    const { topicId, stray, answer } = await strayed()
    const before = await commentsOf(topicId)
    const { topicId: cups } = await chief.call(splitTopic, { topicId, commentIds: [stray, answer], title: 'Which cups', tagId })
    await aComment(ann, cups, { body: says('Thank you') })
    expect(await undoLast()).toMatchObject({ batch: { undone: 1 }, left: [] })
    const after = await commentsOf(topicId)
    expect(after.slice(0, 4)).toEqual(before)
    expect(after[4]).toMatchObject({ floor: 5, author: { id: ann.id } })
    expect((await forum.visitor().tryCall(thread, { topicId: cups })).status).toBe(404)
    expect(await where({ topicId: cups })).toEqual({ topicId, kind: 'topic', commentId: stray, replyId: null })
  })

  test('need one that is on the page, and must all be there', async () => {
    const { topicId, stray, first } = await strayed()
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: stray, reason: 'spam' })
    const input = { topicId, title: 'Which cups', tagId }
    expect(await chief.isRefused(splitTopic, { ...input, commentIds: [stray] }, contract.NothingToOpenWith)).toBe(true)
    await chief.call(splitTopic, { ...input, commentIds: [first] })
    expect(await chief.isRefused(splitTopic, { ...input, commentIds: [first] }, contract.NotHereAnyMore)).toBe(true)
  })

  test('take their pictures along', async () => {
    const response = await sendFile(tom, '/file/picture', { bytes: await plain().png().toBuffer() })
    const { file }: { file: string } = response.json()
    const topicId = await aTopic(ann, tagId)
    const commentId = await aComment(tom, topicId, { body: documentWith(picture(file)) })
    const show = () => forum.app.inject({ url: `/file/${file}` }).then(({ statusCode }) => statusCode)
    const newTopic = await chief.call(splitTopic, { topicId, commentIds: [commentId], title: 'A picture', tagId })
    expect((await forum.visitor().call(thread, { topicId: newTopic.topicId })).pictures).toHaveLength(1)
    await ann.call(removeTopic, { topicId })
    expect(await show()).toBe(200)
  })
})

describe('comments that move to another topic', () => {
  test('take the next floors there, and the former ones with the undo', async () => {
    const { topicId, stray, answer } = await strayed()
    const cups = await aTopic(tom, tagId, { title: 'Cups' })
    await aComment(ann, cups, { body: says('I begin') })
    const before = await commentsOf(topicId)
    await chief.call(moveComments, { topicId, commentIds: [stray, answer], to: cups, reason: 'about cups' })
    expect(await texts(cups)).toEqual([
      [1, '<p>I begin</p>'],
      [2, '<p>And which cups?</p>'],
      [3, '<p>White porcelain</p>'],
    ])
    expect((await commentsOf(cups))[2]?.quote).toMatchObject({ topicId: cups, floor: 2 })
    expect((await forum.visitor().call(listComments, { topicId: cups, onlyAuthor: true })).comments.map(({ id }) => id)).toEqual([stray])
    const actions = (await chief.call(contract.topicForStaff, { topicId: cups })).actions
    expect(actions).toMatchObject([{ action: 'topic.moveComments', reason: 'about cups' }])
    expect(await undoLast()).toMatchObject({ batch: { undone: 1 }, left: [] })
    expect(await commentsOf(topicId)).toEqual(before)
    expect((await commentsOf(cups)).map(({ movedTo }) => movedTo?.commentId ?? null)).toEqual([null, stray, answer])
    expect((await chief.call(auditLog, { about: `topic ${topicId}` })).rows.map(({ action }) => action)).toEqual([
      'topic.moveComments.undo',
      'topic.moveComments',
    ])
  })

  test('are found at their new place, with their reports and pending reviews', async () => {
    const { topicId, stray, reply } = await strayed()
    const cups = await aTopic(tom, tagId)
    const { app } = forum.database
    const person = { author_id: tom.id, title: 'Which kettle', excerpt: '' }
    await app
      .insertInto('report_case')
      .values([
        { kind: 'reply', thing_id: reply, topic_id: topicId, comment_id: stray, reply_id: reply, ...person },
        { kind: 'comment', thing_id: stray, topic_id: topicId, comment_id: stray, ...person },
      ])
      .execute()
    const waiting = { is_edit: true, why: 'members' as const, author_id: tom.id, body: '{}' }
    await app
      .insertInto('review')
      .values({ kind: 'comment', post_id: stray, topic_id: topicId, ...waiting })
      .execute()
    await app.deleteFrom('search_change').execute()
    await chief.call(moveComments, { topicId, commentIds: [stray], to: cups })
    const noted = await app.selectFrom('search_change').select(['kind', 'source_id']).where('is_new', '=', false).execute()
    expect(noted.map((one) => `${one.kind} ${one.source_id}`)).toEqual(expect.arrayContaining([`comment ${stray}`, `reply ${reply}`]))
    const { topicId: apart } = await chief.call(splitTopic, { topicId: cups, commentIds: [stray], title: 'Which cups', tagId })
    const cases = await app.selectFrom('report_case').select(['kind', 'thing_id', 'topic_id', 'comment_id']).orderBy('id').execute()
    expect(cases).toEqual([
      { kind: 'reply', thing_id: reply, topic_id: apart, comment_id: stray },
      { kind: 'topic', thing_id: apart, topic_id: apart, comment_id: null },
    ])
    const reviews = await app.selectFrom('review').select(['kind', 'post_id', 'topic_id', 'title']).execute()
    expect(reviews).toEqual([{ kind: 'topic', post_id: apart, topic_id: apart, title: 'Which cups' }])
  })

  test('that go to a restricted place are not shown elsewhere', async () => {
    const { topicId, stray } = await strayed()
    const hidden = await aTag(forum.database, { isRestricted: true })
    const staffOnly = await aTopic(ann, tagId)
    await chief.call(moveComments, { topicId, commentIds: [stray], to: staffOnly })
    await forum.database.app.updateTable('topic').set({ tag_id: hidden }).where('id', '=', staffOnly).execute()
    const cleared = await aTopic(ann, tagId)
    await chief.call(moveComments, { topicId, commentIds: [(await commentsOf(topicId))[0]?.id ?? ''], to: cleared })
    const [, stub, quoting] = await commentsOf(topicId)
    expect(stub).toMatchObject({ isDeleted: true, movedTo: null })
    expect(quoting?.quote).toMatchObject({ isDeleted: true, text: '', author: null })
    expect((await forum.visitor().tryCall(movedThread, { topicId, commentId: stray })).status).toBe(404)
  })

  test('cannot go to their own topic, or to a removed one', async () => {
    const { topicId, stray } = await strayed()
    const other = await aTopic(ann, tagId)
    expect(await chief.isRefused(moveComments, { topicId, commentIds: [stray], to: topicId }, contract.NotAnotherTopic)).toBe(true)
    await ann.call(removeTopic, { topicId: other })
    expect(await chief.isRefused(moveComments, { topicId, commentIds: [stray], to: other }, contract.NotOnThePage)).toBe(true)
  })
})

describe('topics that become one', () => {
  test('that were parted before are undone in order, whichever is tried first', async () => {
    const { topicId, stray, answer } = await strayed()
    const before = await texts(topicId)
    const cups = await aTopic(tom, tagId)
    await chief.call(moveComments, { topicId, commentIds: [stray, answer], to: cups })
    const [{ id: moving } = { id: '' }] = (await chief.call(batch.batches, {})).rows
    await chief.call(mergeTopics, { topicIds: [cups], to: await aTopic(mei, tagId) })
    const [{ id: merging } = { id: '' }] = (await chief.call(batch.batches, {})).rows
    const undo = (batchId: string) => chief.call(batch.undoBatch, { batchId })
    expect((await undo(moving)).batch).toMatchObject({ undone: 0, left: 1, canUndo: true })
    expect((await undo(merging)).batch).toMatchObject({ left: 0, canUndo: false })
    expect((await undo(moving)).batch).toMatchObject({ left: 0, canUndo: false })
    expect(await texts(topicId)).toEqual(before)
    expect(await chief.isRefused(batch.undoBatch, { batchId: moving }, batch.UndoneAlready)).toBe(true)
  })

  test('bring their openings and all that is under them, and their addresses lead there', async () => {
    const { topicId: kettle, first, stray, last } = await strayed()
    const all = await aTopic(mei, tagId, { title: 'All about tea' })
    await aComment(ann, all, { body: says('It begins') })
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: last, reason: 'spam' })
    expect(await chief.call(mergeTopics, { topicIds: [kettle], to: all })).toEqual({ moved: 5 })
    const under = await commentsOf(all)
    expect(under.map(({ floor, author, isDeleted }) => [floor, author?.id ?? null, isDeleted])).toEqual([
      [1, ann.id, false],
      [2, ann.id, false],
      [3, mei.id, false],
      [4, tom.id, false],
      [5, mei.id, false],
      [6, null, true],
    ])
    expect(under[1]?.segments).toEqual([{ html: '<p>Which kettle is quiet?</p>' }])
    expect(await where({ topicId: kettle })).toEqual({ topicId: all, kind: 'topic', commentId: under[1]?.id, replyId: null })
    expect(await where({ topicId: kettle, commentId: first })).toEqual({ topicId: all, kind: 'topic', commentId: first, replyId: null })
    expect(await where({ topicId: kettle, floor: 2 })).toEqual({ topicId: all, kind: 'topic', commentId: stray, replyId: null })
    expect((await chief.call(topicsForStaff, { tagId })).rows.map(({ id }) => id)).toEqual([all])
    expect((await forum.visitor().call(listTopics, { tagId })).topics).toMatchObject([{ id: all, commentCount: 6 }])
  })

  test('take along drafts and read marks', async () => {
    const { topicId: kettle, last } = await strayed()
    const all = await aTopic(mei, tagId, { title: 'All about tea' })
    await aComment(ann, all, { body: says('It begins') })
    const { app } = forum.database
    const begun = { content: '{}', writer: 'one', device: 'a phone' }
    await app
      .insertInto('draft')
      .values([
        { member_id: tom.id, place: `comment ${kettle}`, ...begun },
        { member_id: mei.id, place: `comment ${kettle}`, ...begun },
        { member_id: mei.id, place: `comment ${all}`, ...begun },
      ])
      .execute()
    const readTo = async (who: Person, topicId: string) => (await who.call(myThread, { topicId })).readTo
    await tom.call(markRead, { topicId: all, floor: 1 })
    await tom.call(markRead, { topicId: kettle, floor: 3 })
    await ann.call(markRead, { topicId: kettle, floor: 4 })
    const { topicId: apart } = await chief.call(splitTopic, { topicId: kettle, commentIds: [last], title: 'Apart', tagId })
    expect([await readTo(ann, apart), await readTo(tom, apart)]).toEqual([null, null])
    await chief.call(mergeTopics, { topicIds: [kettle], to: all })
    expect([await readTo(ann, all), await readTo(tom, all), await readTo(mei, all)]).toEqual([5, 5, null])
    const drafts = await app.selectFrom('draft').select(['member_id', 'place']).orderBy('member_id').orderBy('place').execute()
    expect(drafts.filter(({ member_id }) => member_id === tom.id)).toEqual([{ member_id: tom.id, place: `comment ${all}` }])
    expect(drafts.filter(({ member_id }) => member_id === mei.id)).toHaveLength(2)
  })

  test('part again with the undo, each with its own comments; later ones stay', async () => {
    const { topicId: kettle } = await strayed()
    const all = await aTopic(mei, tagId, { title: 'All about tea' })
    const [before, topic] = [await commentsOf(kettle), await forum.visitor().call(thread, { topicId: kettle })]
    await chief.call(mergeTopics, { topicIds: [kettle], to: all })
    await tom.tryCall(addComment, { topicId: all, body: says('too soon') })
    await aComment(await forum.member(), all, { body: says('Written since') })
    expect(await undoLast()).toMatchObject({ batch: { undone: 1 }, left: [] })
    expect(await commentsOf(kettle)).toEqual(before)
    expect(await forum.visitor().call(thread, { topicId: kettle })).toEqual(topic)
    expect((await commentsOf(all)).at(-1)?.segments).toEqual([{ html: '<p>Written since</p>' }])
  })

  test('leave no trace of an erased opening at its new place', async () => {
    const { topicId: kettle } = await strayed()
    const all = await aTopic(mei, tagId, { title: 'All about tea' })
    await chief.call(mergeTopics, { topicIds: [kettle], to: all })
    const opening = (await commentsOf(all))[0]?.id ?? ''
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: opening, reason: 'spam' })
    await chief.call(contract.purgeRemark, { kind: 'comment', id: opening })
    const row = await forum.database.app.selectFrom('topic').selectAll().where('id', '=', kettle).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('kettle')
    expect((await undoLast()).left).toHaveLength(1)
  })

  test('give the topic an older comment as its last, also after the undo', async () => {
    const topicId = await aTopic(ann, tagId)
    const [older, newer] = [await aComment(tom, topicId), await aComment(mei, topicId)]
    const { topicId: newTopicId } = await chief.call(splitTopic, { topicId, commentIds: [newer], title: 'On its own', tagId })
    await chief.call(moveComments, { topicId, commentIds: [older], to: newTopicId })
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: older, reason: 'spam' })
    await chief.call(contract.restoreRemark, { kind: 'comment', id: older })
    expect(await newestMismatches(forum.database.reader)).toEqual([])
  })

  test('ask for the password if they are long', async () => {
    const editor = await aStaffer(forum, ['content.view', 'content.edit'])
    const [one, two] = [await aTopic(ann, tagId), await aTopic(tom, tagId)]
    await forum.database.app
      .updateTable('staff_session')
      .set({ proved_at: new Date(0) })
      .where('staff_id', '=', editor.id)
      .execute()
    await forum.database.app.updateTable('topic').set({ floors: 51 }).where('id', '=', one).execute()
    expect((await editor.tryCall(mergeTopics, { topicIds: [one], to: two })).status).toBe(428)
    const reader = await aStaffer(forum, ['content.view'])
    expect((await reader.tryCall(mergeTopics, { topicIds: [one], to: two })).status).toBe(403)
  })
})

test('two threads part again without comments that had returned before the merge', async () => {
  const { topicId: to, first } = await strayed()
  const topicId = await aTopic(tom, tagId)
  await chief.call(moveComments, { topicId: to, commentIds: [first], to: topicId })
  await undoLast()
  await chief.call(mergeTopics, { topicIds: [topicId], to })
  await undoLast()
  expect((await commentsOf(to)).map(({ id }) => id)).toContain(first)
  expect((await commentsOf(topicId)).map(({ id }) => id)).not.toContain(first)
})

test('a split, a merge and their undo send no notice of a removal', async () => {
  const { topicId, stray } = await strayed()
  const other = await aTopic(mei, tagId)
  await chief.call(splitTopic, { topicId, commentIds: [stray], title: 'Which cups', tagId })
  await undoLast()
  await chief.call(mergeTopics, { topicIds: [topicId], to: other })
  await undoLast()
  for (const who of [ann, tom, mei])
    expect((await noticesOf(who)).filter(({ says: { kind } }) => kind === 'postRemoved' || kind === 'postRestored')).toEqual([])
})

test('topics that are merged come one after the other, the one that was published first before the others', async () => {
  const [one, other, all] = [
    await aTopic(ann, tagId),
    await aTopic(ann, tagId, { body: says('Published first') }),
    await aTopic(mei, tagId),
  ]
  await sql`update topic set published_at = published_at - interval '1 day' where id = ${other}`.execute(forum.database.app)
  await chief.call(mergeTopics, { topicIds: [one, other], to: all })
  expect((await texts(all))[0]).toEqual([1, '<p>Published first</p>'])
})
