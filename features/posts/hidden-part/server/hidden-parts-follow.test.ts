import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import type { Block } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { auditLog } from '#audit/contract.ts'
import { undoBatch } from '#batch/contract.ts'
import { remarkSource, editRemark, listComments } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import * as hidden from '#hidden-part/contract.ts'
import { hides, partIds, seenBy } from '#hidden-part/testing/factories.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { approveReview, editReview, openReview, reviewQueue, withdrawEdit } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, paragraph } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let mei: Person
let tom: Person
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const open: Block = paragraph({ type: 'text', text: 'Open.' })

async function hiding(...parts: Block[]): Promise<{ topicId: string; partId: string }> {
  const topicId = await aTopic(mei, tagId, { body: documentWith(open, ...parts) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  return { topicId, partId }
}

async function buy(who: Person, partId: string, price: string): Promise<void> {
  await endow(forum.database, who.id, Number(price))
  await who.call(hidden.buyPart, { partId, price }, { 'idempotency-key': `a-key-for-number-${++keys}` })
}

test('a part merged under another topic is in the comment made of its opening, and comes back with it', async () => {
  const { topicId, partId } = await hiding(hides('points', '5', 'treasure'))
  const { topicId: to } = await hiding()
  await buy(tom, partId, '5')
  await chief.call(mergeTopics, { topicIds: [topicId], to, reason: 'The same' })
  const { comments } = await forum.visitor().call(listComments, { topicId: to })
  expect(partIds(comments[0]?.segments ?? [])).toEqual([partId])
  expect(JSON.stringify(comments)).not.toContain('treasure')
  expect(await seenBy(tom, to)).toBe('unlocked: <p>treasure</p>')
  expect(await seenBy(mei, to)).toBe('author: <p>treasure</p>')
  // As a comment, the edited post keeps its hidden part.
  const commentId = comments[0]?.id ?? ''
  const { body } = await mei.call(remarkSource, { kind: 'comment', id: commentId })
  await mei.call(editRemark, {
    kind: 'comment',
    id: commentId,
    body: { ...body, content: [paragraph({ type: 'text', text: 'More.' }), ...body.content] },
  })
  expect(await seenBy(tom, to)).toBe('unlocked: <p>treasure</p>')
  const { rows } = await sql<{ id: string }>`select max(id) as id from staff_batch`.execute(forum.database.app)
  await chief.call(undoBatch, { batchId: rows[0]?.id ?? '' })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
  expect(partIds((await forum.visitor().call(topic.thread, { topicId })).segments)).toEqual([partId])
})

test('an edit in review hides its new parts, and shows nothing of them before staff approve it', async () => {
  const { topicId, partId } = await hiding(hides('points', '5', 'treasure'))
  await buy(tom, partId, '5')
  const { body, title } = await mei.call(topic.editableTopic, { topicId })
  const anew = JSON.parse(
    JSON.stringify({ ...body, content: [...body.content, hides('points', '6', 'more')] }).replace('treasure', 'jewels'),
  )
  await change({ reviewTopics: 'everybody' })
  await mei.call(topic.editTopic, { topicId, title, body: anew })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
  // The author continues the waiting edit.
  const waits = await mei.call(topic.editableTopic, { topicId })
  expect(JSON.stringify(waits.body)).toContain('jewels')
  await mei.call(topic.editTopic, { topicId, title, body: JSON.parse(JSON.stringify(waits.body).replace('jewels', 'gems')) })
  // Staff without the right leave the part unchanged.
  const helper = await aStaffer(forum, ['content.view', 'content.edit', 'content.review'])
  const queue = await helper.call(reviewQueue, { size: 200 })
  const row = queue.rows.find(({ postId, kind }) => postId === topicId && kind === 'topic')
  const opened = await helper.call(openReview, { reviewId: row?.id ?? '' })
  expect(JSON.stringify(opened)).not.toMatch(/gems|more|treasure/)
  await helper.call(editReview, { reviewId: row?.id ?? '', version: row?.version ?? 0, title: 'Mended', body: opened.body })
  const again = await chief.call(openReview, { reviewId: row?.id ?? '' })
  expect(JSON.stringify(again.body)).toContain('gems')
  await helper.call(approveReview, { reviewId: row?.id ?? '', version: (row?.version ?? 0) + 1 })
  await change({ reviewTopics: 'nobody' })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>gems</p>')
  expect(await seenBy(mei, topicId)).toContain('more')
})

test('a withdrawn edit takes its new hidden parts along', async () => {
  const { topicId } = await hiding(hides('points', '5', 'treasure'))
  const { body, title } = await mei.call(topic.editableTopic, { topicId })
  await change({ reviewTopics: 'everybody' })
  await mei.call(topic.editTopic, { topicId, title, body: JSON.parse(JSON.stringify(body).replace('treasure', 'jewels')) })
  await change({ reviewTopics: 'nobody' })
  await mei.call(withdrawEdit, { kind: 'topic', postId: topicId })
  expect(JSON.stringify((await mei.call(topic.editableTopic, { topicId })).body)).toContain('treasure')
})

test('staff without the right to see hidden parts edit around them; staff with it see them in all versions', async () => {
  const { topicId, partId } = await hiding(hides('password', 'sesame', 'treasure'))
  await tom.call(hidden.unlockPart, { partId, password: 'sesame' })
  const helper = await aStaffer(forum, ['content.view', 'content.edit'])
  const seen = await helper.call(content.topicForStaff, { topicId })
  expect(JSON.stringify(seen)).not.toContain('treasure')
  await helper.call(content.editTopicAsStaff, {
    topicId,
    version: seen.version,
    title: 'Mended',
    body: seen.body,
    reason: '',
    withholds: false,
  })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
  expect((await helper.tryCall(hidden.hiddenForStaff, { topicId })).status).toBe(403)
  const whole = await chief.call(content.topicForStaff, { topicId })
  const body = JSON.parse(JSON.stringify(whole.body).replace('treasure', 'jewels'))
  await chief.call(content.editTopicAsStaff, { topicId, version: whole.version, title: 'Mended', body, reason: '', withholds: false })
  const { parts } = await chief.call(hidden.hiddenForStaff, { topicId })
  expect(parts.map(({ stands, segments }) => [stands, segments[0]?.html])).toEqual([
    ['shown', '<p>jewels</p>'],
    ['earlier', '<p>treasure</p>'],
  ])
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>jewels</p>')
})

test('reading hidden parts as staff is logged once an hour, and other staff see only their number', async () => {
  const highest = (await mei.call(hidden.hiddenForm, {})).levels.at(-1)
  const { topicId } = await hiding(hides('level', highest?.needs ?? '', 'treasure'), hides('points', '5', 'pearls'))
  const helper = await aStaffer(forum, ['content.view'])
  expect((await helper.call(content.topicForStaff, { topicId })).hiddenParts).toEqual({ there: 2, takenOut: 0 })
  expect((await helper.tryCall(hidden.hiddenForStaff, { topicId })).status).toBe(403)
  const looks = async () => (await chief.call(auditLog, { action: 'topic.readHidden', about: `topic ${topicId}` })).rows.length
  expect(await looks()).toBe(0)
  for (let time = 0; time < 2; time++) {
    const { parts } = await chief.call(hidden.hiddenForStaff, { topicId })
    expect(parts.map(({ lock, value, level }) => [lock, value, level])).toEqual([
      ['level', highest?.needs, highest?.name],
      ['points', '5', undefined],
    ])
  }
  expect(await looks()).toBe(1)
})

test('a member with the right to see hidden parts sees them in its tags, and nowhere else', async () => {
  const { topicId } = await hiding(hides('password', 'sesame', 'treasure'))
  const { app } = forum.database
  const { id } = await app
    .insertInto('role')
    .values({ name_zh: '掌灯', name_en: 'Lamp', sort: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.insertInto('role_right').values({ role_id: id, right_name: 'topic.seeHidden', tag_id: tagId }).execute()
  await sql`insert into role_holding (member_id, role_id, during) values (${tom.id}, ${id}, tstzrange(now(), null))`.execute(app)
  forum.database.invalidations.announce(new Set(['role', 'everything']))
  expect(await seenBy(tom, topicId)).toBe('staff: <p>treasure</p>')
  const elsewhere = await aTopic(mei, await aTag(forum.database), { body: documentWith(open, hides('comment', '', 'jewels')) })
  expect(await seenBy(tom, elsewhere)).toBe('')
})

test('a merged member has the opened and the own hidden parts of both accounts', async () => {
  const { topicId, partId } = await hiding(hides('points', '5', 'treasure'))
  await buy(tom, partId, '5')
  const bo = await forum.member()
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: bo.account, reason: 'one and the same' })
  await chief.call(mergeMembers, { memberId: mei.id, account: mei.account, into: (await forum.member()).account, reason: 'the same' })
  await resume(forum.database)
  expect(await seenBy(bo, topicId)).toBe('unlocked: <p>treasure</p>')
})

test('a reversed payment gives no access any more, and the part can be bought anew', async () => {
  const { topicId, partId } = await hiding(hides('points', '5', 'treasure'))
  await buy(tom, partId, '5')
  const { rows } = await sql<{ id: string }>`select transaction_id as id from hidden.unlock where part_id = ${partId}`.execute(
    forum.database.app,
  )
  await transact(forum.database, (tx) => wallet.reverse(tx, rows[0]?.id ?? '', { by: { kind: 'forum' }, reason: 'It was empty.' }))
  expect(await seenBy(tom, topicId)).toBe('')
  expect((await mei.call(hidden.unlocksOfMine, {})).unlocks[0]).toMatchObject({ isRefunded: true })
  expect((await mei.call(hidden.unlocksOfMine, {})).earned).toEqual({ points: '0', cents: '0' })
  await tom.call(hidden.buyPart, { partId, price: '5' }, { 'idempotency-key': `a-key-for-number-${++keys}` })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
})

test('a purged text is gone from hidden parts, also in earlier versions', async () => {
  const { topicId } = await hiding(hides('points', '5', 'Quetzalcoatlus'))
  const { body, title } = await mei.call(topic.editableTopic, { topicId })
  const anew = (word: string) => JSON.parse(JSON.stringify(body).replace('Quetzalcoatlus', `Quetzalcoatlus ${word}`))
  await mei.call(topic.editTopic, { topicId, title, body: anew('flies') })
  await change({ reviewTopics: 'everybody' })
  await mei.call(topic.editTopic, { topicId, title, body: anew('lands') })
  await change({ reviewTopics: 'nobody' })
  const owned = async () => {
    const { rows } = await sql<{ topic: string }>`select segments::text as topic from hidden.for_staff(${topicId})`.execute(
      forum.database.app,
    )
    return rows.filter((row) => row.topic.includes('Quetzalcoatlus')).length
  }
  expect(await owned()).toBe(3)
  await mei.call(topic.removeTopic, { topicId })
  await chief.call(content.purgeTopic, { topicId })
  expect(await owned()).toBe(0)
})

test('a topic that is moved or becomes a question keeps its parts hidden', async () => {
  const { topicId, partId } = await hiding(hides('points', '5', 'treasure'))
  await buy(tom, partId, '5')
  await chief.call(content.askTopic, { topicId, reason: '' })
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
  const commenter = await forum.member()
  await aComment(commenter, topicId).catch(() => undefined)
  expect(await seenBy(commenter, topicId)).toBe('')
})
