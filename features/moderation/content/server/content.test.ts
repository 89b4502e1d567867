import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { addComment, editRemark, listComments, removeRemark } from '#comment/contract.ts'
import * as batch from '#batch/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { fileKeysForStaff } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { prove, signOut } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { TagNotOpen } from '#tag/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic, listTopics, removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import { documentWith, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let ann: Person
let tom: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

beforeEach(async () => {
  ann = await forum.member()
  tom = await forum.member()
  tagId = await aTag(forum.database)
})

const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

describe('the list of topics', () => {
  test('finds by words of title and text, by author, tag, state, mark and date', async () => {
    const one = await aTopic(ann, tagId, { title: 'Oolong 100% of it', body: says('Steep it "twice" in [hot] water') })
    const two = await aTopic(tom, tagId, { title: '岩茶与水温', body: says('第三泡最好喝') })
    const find = async (input: Parameters<typeof chief.call<typeof topicsForStaff>>[1]) =>
      ids(await chief.call(topicsForStaff, { tagId, ...input }))
    expect(await find({})).toEqual([two, one])
    expect(await find({ order: 'asc' })).toEqual([one, two])
    for (const keyword of ['oolong', '100%', '"TWICE" in [hot]']) expect(await find({ keyword })).toEqual([one])
    for (const keyword of ['水温', '第三泡']) expect(await find({ keyword })).toEqual([two])
    expect(await find({ keyword: '100_' })).toEqual([])
    for (const author of [tom.account.toUpperCase(), tom.id]) expect(await find({ author })).toEqual([two])
    expect(await find({ author: 'nobody here' })).toEqual([])
    expect(await find({ until: '2020-01-01T00:00:00Z' })).toEqual([])
    expect(await find({ since: '2020-01-01T00:00:00Z' })).toHaveLength(2)
    await chief.call(contract.pinTopic, { topicId: one, pin: 3 })
    expect(await find({ mark: 'pinned' })).toEqual([one])
    await tom.call(removeTopic, { topicId: two })
    expect(await find({ state: 'deletedByAuthor' })).toEqual([two])
    expect(await find({ state: 'published' })).toEqual([one])
    expect(await find({ state: 'deletedByStaff' })).toEqual([])
    for (const sort of ['reply', 'comments', 'views'] as const) expect(await find({ sort })).toHaveLength(2)
  })

  test('holds the topics of a tag and of its child tags', async () => {
    const below = await aTag(forum.database, { under: tagId })
    const topicId = await aTopic(ann, below)
    expect(ids(await chief.call(topicsForStaff, { tagId }))).toEqual([topicId])
  })
})

test('comments and replies are found with their topic', async () => {
  const topicId = await aTopic(ann, tagId, { title: 'Cups' })
  const commentId = await aComment(tom, topicId, { body: says('White porcelain') })
  const replyId = await aReply(ann, commentId, { body: says('Or glass') })
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  const { rows } = await chief.call(commentsForStaff, { keyword: 'PORCELAIN', tagId })
  expect(rows).toMatchObject([
    {
      id: commentId,
      floor: 1,
      state: 'deletedByAuthor',
      topic: { id: topicId, title: 'Cups', state: 'published' },
      author: { id: tom.id },
    },
  ])
  expect((await chief.call(repliesForStaff, { author: ann.id, topicId })).rows).toMatchObject([{ id: replyId, commentId, floor: 1 }])
})

test('text is found at once and later, in posts of any state, but not if it was edited away or purged', async () => {
  const topicId = await aTopic(ann, tagId)
  const first = await aComment(tom, topicId, { body: says('A gaiwan of 龍井 for the sampler') })
  const other = await aComment(ann, topicId, { body: says('Samplers, no gaiwan') })
  const found = async (keyword: string) => ids(await chief.call(commentsForStaff, { keyword, tagId, order: 'asc' }))
  expect(await found('gaiwan')).toEqual([first, other])
  await tom.call(removeRemark, { kind: 'comment', id: first })
  await entered()
  for (const keyword of ['龍井', '龍', 'GAIWAN of', 'sampl', '龍井 for']) expect(await found(keyword)).toContain(first)
  expect(await found('sampler')).toEqual([first, other])
  for (const keyword of ['iwan', '井龍', 'for gaiwan']) expect(await found(keyword)).toEqual([])
  await ann.call(editRemark, { kind: 'comment', id: other, body: says('Nothing of the kind') })
  expect(await found('gaiwan')).toEqual([first])
  await chief.call(contract.purgeRemark, { kind: 'comment', id: first })
  expect(await found('gaiwan')).toEqual([])
  await entered()
  const { app } = forum.database
  const left = await sql`select from search_any where kind = 'comment' and source_id = ${first}`.execute(app)
  expect(left.rows).toEqual([])
})

async function entered(): Promise<void> {
  const changes = () => forum.database.app.selectFrom('search_change').select('number').limit(1).execute()
  await expect.poll(changes, { interval: 20 }).toEqual([])
}

describe('a topic', () => {
  test('is edited with its history, and members see that staff did it', async () => {
    const topicId = await aTopic(ann, tagId, { title: 'First', body: says('as it was') })
    const { version } = await chief.call(contract.topicForStaff, { topicId })
    await chief.call(contract.editTopicAsStaff, { topicId, version, title: 'Second', body: says('as it is'), reason: 'unclear title' })
    const view = await chief.call(contract.topicForStaff, { topicId })
    expect(view).toMatchObject({ title: 'Second', version: version + 1, editedBy: { name: chief.account } })
    expect(view.versions).toMatchObject([{ title: 'First', segments: [{ html: '<p>as it was</p>' }], writtenBy: { id: ann.id } }])
    expect(view.actions).toMatchObject([{ action: 'topic.edit', account: chief.account, reason: 'unclear title' }])
    expect(await forum.visitor().call(thread, { topicId })).toMatchObject({ title: 'Second', isEditedByStaff: true })
  })

  test('that changed since it was opened is not overwritten', async () => {
    const topicId = await aTopic(ann, tagId)
    const { version } = await chief.call(contract.topicForStaff, { topicId })
    await ann.call(editTopic, { topicId, title: 'Mine again', body: says('my own words') })
    const { status, error } = await chief.tryCall(contract.editTopicAsStaff, { topicId, version, title: 'Theirs', body: says('x') })
    expect([status, error['version']]).toEqual([409, expect.stringContaining(ann.account)])
    expect((await forum.visitor().call(thread, { topicId })).title).toBe('Mine again')
  })

  test('is pinned, featured, sunk and closed, and the pages follow', async () => {
    const [old, fresh] = [await aTopic(ann, tagId), await aTopic(ann, tagId)]
    const listed = async (more = {}) =>
      (await forum.visitor().call(listTopics, { tagId, ...more })).topics.map(({ id, isPinned, isFeatured }) => ({
        id,
        isPinned,
        isFeatured,
      }))
    await chief.call(contract.pinTopic, { topicId: old, pin: 1 })
    expect(await listed()).toMatchObject([{ id: old, isPinned: true }, { id: fresh }])
    await chief.call(contract.pinTopic, { topicId: old, pin: 0 })
    await chief.call(contract.featureTopic, { topicId: old })
    expect(await listed({ featured: true })).toMatchObject([{ id: old, isFeatured: true }])
    await chief.call(contract.sinkTopic, { topicId: old })
    await aComment(tom, old)
    expect(await listed()).toMatchObject([{ id: fresh }, { id: old }])
    await chief.call(contract.raiseTopic, { topicId: old })
    expect(await listed()).toMatchObject([{ id: old }, { id: fresh }])
    await chief.call(contract.closeTopic, { topicId: old })
    expect((await tom.tryCall(addComment, { topicId: old, body: says('one more') })).status).toBe(422)
    const { floor } = await chief.call(contract.addRemarkAsStaff, { kind: 'comment', under: old, body: says('We close this here.') })
    expect(floor).toBe(2)
  })

  test('moves to a tag that takes topics, and to no other', async () => {
    const topicId = await aTopic(ann, tagId)
    const other = await aTag(forum.database)
    const parent = await aTag(forum.database)
    await aTag(forum.database, { under: parent })
    expect(await chief.isRefused(contract.moveTopic, { topicId, tagId: parent }, TagNotOpen)).toBe(true)
    await chief.call(contract.moveTopic, { topicId, tagId: other })
    expect((await forum.visitor().call(listTopics, { tagId })).topics).toEqual([])
    expect((await forum.visitor().call(listTopics, { tagId: other })).topics).toMatchObject([{ id: topicId }])
  })

  test('is removed with a reason and restored', async () => {
    const topicId = await aTopic(ann, tagId)
    await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'advertising' })
    expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(404)
    expect(await chief.call(contract.topicForStaff, { topicId })).toMatchObject({ state: 'deletedByStaff', reason: 'advertising' })
    await chief.call(contract.restoreTopic, { topicId })
    expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(200)
    const { rows } = await chief.call(auditLog, { about: `topic ${topicId}` })
    expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
      ['topic.restore', null],
      ['topic.remove', 'advertising'],
    ])
  })

  test('is erased for good once it was removed: its words are nowhere, and the log keeps that it was', async () => {
    const topicId = await aTopic(ann, tagId, { title: 'Unspeakable secretword', body: says('secretword one') })
    await ann.call(editTopic, { topicId, title: 'Unspeakable secretword', body: says('secretword two') })
    const commentId = await aComment(tom, topicId, { body: says('secretword three') })
    await aReply(ann, commentId, { body: says('secretword four') })
    expect(await chief.isRefused(contract.purgeTopic, { topicId }, contract.NotDeleted)).toBe(true)
    await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'spam' })
    await chief.call(contract.purgeTopic, { topicId, reason: 'asked for by its author' })
    for (const table of ['topic', 'topic_revision', 'comment', 'comment_revision', 'reply', 'topic_word', 'audit_log'] as const) {
      const rows = await forum.database.app.selectFrom(table).selectAll().execute()
      expect([table, JSON.stringify(rows).includes('secretword')]).toEqual([table, false])
    }
    expect((await chief.tryCall(contract.topicForStaff, { topicId })).status).toBe(404)
    expect((await chief.tryCall(contract.restoreTopic, { topicId })).status).toBe(404)
    expect(ids(await chief.call(topicsForStaff, { tagId }))).toEqual([])
    expect((await chief.call(auditLog, { about: `topic ${topicId}` })).rows[0]).toMatchObject({
      action: 'topic.purge',
      before: { authorId: ann.id },
    })
  })

  test('is shown to staff with its comments, removed or not, around the comment they look for', async () => {
    const topicId = await aTopic(ann, tagId)
    const all = []
    for (let count = 0; count < 25; count++) all.push(await aComment(count < 15 ? tom : ann, topicId, { body: says(`Remark ${count}`) }))
    const last = all.at(-1) ?? ''
    const replyId = await aReply(ann, last)
    await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: last, reason: 'rude' })
    const page = await chief.call(contract.remarksForStaff, { topicId, replyId })
    expect(page).toMatchObject({ page: 2, pages: 2, total: 25 })
    expect(page.comments.at(-1)).toMatchObject({
      id: last,
      state: 'deletedByStaff',
      reason: 'rude',
      segments: [{ html: '<p>Remark 24</p>' }],
      replies: [{ id: replyId }],
    })
  })
})

test('a comment is edited, removed, restored and erased; its floor stays', async () => {
  const topicId = await aTopic(ann, tagId)
  const id = await aComment(tom, topicId, { body: says('before') })
  const firstComment = async () => (await forum.visitor().call(listComments, { topicId })).comments[0]
  const { version } = await chief.call(contract.remarkForStaff, { kind: 'comment', id })
  await chief.call(contract.editRemarkAsStaff, { kind: 'comment', id, version, body: says('after') })
  expect(await firstComment()).toMatchObject({ segments: [{ html: '<p>after</p>' }], isEditedByStaff: true })
  expect((await chief.tryCall(contract.editRemarkAsStaff, { kind: 'comment', id, version, body: says('again') })).status).toBe(409)
  await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id, reason: 'spam' })
  expect(await firstComment()).toMatchObject({ isDeleted: true, segments: [] })
  await chief.call(contract.restoreRemark, { kind: 'comment', id })
  expect(await firstComment()).toMatchObject({ isDeleted: false, floor: 1 })
  await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id, reason: 'spam' })
  await chief.call(contract.purgeRemark, { kind: 'comment', id })
  expect((await chief.call(contract.remarksForStaff, { topicId })).comments).toMatchObject([{ isPurged: true, segments: [], floor: 1 }])
})

test('a removal takes a reason, which the member reads', async () => {
  const topicId = await aTopic(ann, tagId)
  const id = await aComment(tom, topicId)
  for (const reason of ['', ' \u200b']) {
    expect((await chief.tryCall(contract.removeTopicAsStaff, { topicId, reason })).error).toHaveProperty('reason')
    expect((await chief.tryCall(contract.removeRemarkAsStaff, { kind: 'comment', id, reason })).error).toHaveProperty('reason')
    for (const action of ['topic.remove', 'comment.remove', 'reply.remove'] as const)
      expect(await chief.isRefused(contract.doAtOnce, { action, ids: [id], reason }, ReasonNeeded)).toBe(true)
  }
  await chief.call(contract.doAtOnce, { action: 'topic.close', ids: [topicId] })
})

describe('many at once', () => {
  test('are done as far as possible, and undone if unchanged', async () => {
    const topics = [await aTopic(ann, tagId), await aTopic(ann, tagId), await aTopic(ann, tagId)]
    const [one = '', two = '', three = ''] = topics
    const result = await chief.call(contract.doAtOnce, { action: 'topic.remove', ids: [...topics, '999999'], reason: 'spam' })
    expect(result).toMatchObject({ batch: { state: 'done', total: 4, done: 3 }, faults: [{ id: '999999', why: expect.any(String) }] })
    const batchId = result.batch.id
    await chief.call(contract.restoreTopic, { topicId: two })
    await chief.call(contract.restoreTopic, { topicId: three })
    await chief.call(contract.removeTopicAsStaff, { topicId: three, reason: 'spam' })
    const { rows } = await chief.call(batch.batches, {})
    expect(rows[0]).toMatchObject({ id: batchId, action: 'topic.remove', done: 3, faults: 1, canUndo: true, account: chief.account })
    const undone = await chief.call(batch.undoBatch, { batchId })
    expect(undone).toMatchObject({ batch: { undone: 1, left: 2 }, left: [{ id: two }, { id: three }] })
    expect(ids(await chief.call(topicsForStaff, { tagId, state: 'published', order: 'asc' }))).toEqual([one, two])
    // The obstacle may be gone: the undo retries the remaining items only.
    expect((await chief.call(batch.batches, {})).rows[0]).toMatchObject({ undoneBy: chief.account, canUndo: true })
    await chief.call(contract.removeTopicAsStaff, { topicId: one, reason: 'spam' })
    expect((await chief.call(batch.undoBatch, { batchId })).batch).toMatchObject({ state: 'undone', undone: 1, left: 2 })
    expect(ids(await chief.call(topicsForStaff, { tagId, state: 'published', order: 'asc' }))).toEqual([two])
  })

  test('does not count unchanged posts', async () => {
    const [one, two] = [await aTopic(ann, tagId), await aTopic(ann, tagId)]
    await chief.call(contract.closeTopic, { topicId: one })
    const answer = await chief.call(contract.doAtOnce, { action: 'topic.close', ids: [one, two] })
    expect(answer).toMatchObject({ batch: { done: 1 }, faults: [{ id: one, why: 'Nothing to change: it’s already like that.' }] })
    expect((await chief.call(batch.undoBatch, { batchId: answer.batch.id })).batch.undone).toBe(1)
  })

  test('cannot be undone after thirty days', async () => {
    const {
      batch: { id: batchId },
    } = await chief.call(contract.doAtOnce, { action: 'topic.close', ids: [await aTopic(ann, tagId)] })
    const past = new Date(Date.now() - 31 * 86_400_000)
    await forum.database.app.updateTable('staff_batch').set({ made_at: past }).where('id', '=', batchId).execute()
    expect(await chief.isRefused(batch.undoBatch, { batchId }, batch.TooLateToUndo)).toBe(true)
  })

  test('ask for the rights of each action, and for the password if they are very many', async () => {
    const editor = await aStaffer(forum, ['content.view', 'content.edit'])
    const topicId = await aTopic(ann, tagId)
    expect((await editor.tryCall(contract.doAtOnce, { action: 'topic.remove', ids: [topicId] })).status).toBe(403)
    const {
      batch: { id: batchId },
    } = await editor.call(contract.doAtOnce, { action: 'topic.feature', ids: [topicId] })
    const remover = await aStaffer(forum, ['content.view', 'content.remove'])
    expect((await remover.tryCall(batch.undoBatch, { batchId })).status).toBe(403)
    const past = new Date(Date.now() - 700_000)
    await forum.database.app.updateTable('staff_session').set({ proved_at: past }).where('staff_id', '=', editor.id).execute()
    const many = { action: 'topic.close' as const, ids: Array.from({ length: 51 }, (_, index) => String(900_000 + index)) }
    expect((await editor.tryCall(contract.doAtOnce, many)).status).toBe(428)
    await editor.call(prove, { password: editor.password })
    expect((await editor.call(contract.doAtOnce, many)).batch).toMatchObject({ state: 'doing', total: 51 })
  })
})

test('pictures of removed posts are shown only to staff with access', async () => {
  const response = await sendFile(ann, '/file/picture', { bytes: await plain().png().toBuffer() })
  const { file }: { file: string } = response.json()
  const topicId = await aTopic(ann, tagId, { body: documentWith(picture(file)) })
  await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'spam' })
  const show = (key: string) => forum.app.inject({ url: `/file/${file}?key=${key}` }).then(({ statusCode }) => statusCode)
  const { keys } = await chief.call(fileKeysForStaff, { files: [file] })
  const key = keys[0]?.key ?? ''
  expect([await show(''), await show(key)]).toEqual([404, 200])
  const helper = await aStaffer(forum, ['tag.manage'])
  expect((await helper.tryCall(fileKeysForStaff, { files: [file] })).status).toBe(403)
  await chief.call(signOut, {})
  expect(await show(key)).toBe(404)
  await chief.signIn()
})

test('pictures uploaded by staff belong to the author of the post; staff without the right to edit cannot upload any', async () => {
  const topicId = await aTopic(ann, tagId)
  const bytes = await plain().png().toBuffer()
  const bring = async (who: Staffer, authorId?: string) => {
    const response = await sendFile(who, '/admin/file/picture', { bytes }, authorId ? { authorId } : {})
    const picked: { file: string; src: string } = response.json()
    return [response.statusCode, picked] as const
  }
  const [status, { file, src }] = await bring(chief, ann.id)
  expect([status, (await forum.app.inject({ url: src })).statusCode]).toEqual([200, 200])
  const { version } = await chief.call(contract.topicForStaff, { topicId })
  await chief.call(contract.editTopicAsStaff, { topicId, version, title: 'With a picture', body: documentWith(picture(file)) })
  expect((await forum.visitor().call(thread, { topicId })).pictures).toHaveLength(1)
  expect((await forum.app.inject({ url: `/file/${file}` })).statusCode).toBe(200)
  const [, own] = await bring(chief)
  const added = await chief.call(contract.addRemarkAsStaff, { kind: 'comment', under: topicId, body: documentWith(picture(own.file)) })
  expect((await forum.visitor().call(listComments, { topicId })).comments[0]).toMatchObject({ id: added.id })
  expect((await bring(chief, '999999'))[0]).toBe(404)
  expect((await bring(await aStaffer(forum, ['content.view']), ann.id))[0]).toBe(403)
})

test('actions of staff on a topic and its earlier versions come newest first', async () => {
  const topicId = await aTopic(ann, tagId, { title: 'First' })
  for (const title of ['Second', 'Third']) {
    const { version } = await chief.call(contract.topicForStaff, { topicId })
    await chief.call(contract.editTopicAsStaff, { topicId, version, title, body: says('as it is'), reason: `to ${title}` })
  }
  const { actions, versions } = await chief.call(contract.topicForStaff, { topicId })
  expect([actions.map(({ reason }) => reason), versions.map(({ title }) => title)]).toEqual([
    ['to Third', 'to Second'],
    ['Second', 'First'],
  ])
})
