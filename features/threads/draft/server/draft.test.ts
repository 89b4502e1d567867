import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { dropDraft, listDrafts, maxDrafts, oneDraft, saveDraft, TooManyDrafts, type DraftContent } from '#draft/contract.ts'
import { purgeExpired } from '#draft/server/draft.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database)
const [phone, desktop] = ['writer-phone', 'writer-desktop']
let mei: Person

beforeEach(async () => {
  mei = await forum.member()
})

const rich = (text: string, title?: string): DraftContent => ({
  text: { view: 'rich', doc: says(text) },
  fields: title === undefined ? {} : { title },
})

test('a draft of one device is there on another', async () => {
  expect(await mei.call(oneDraft, { place: 'topic' })).toEqual({ draft: null })
  const { version } = await mei.call(saveDraft, { place: 'topic', content: rich('The first sip', 'Rain'), writer: phone })
  const { draft } = await mei.call(oneDraft, { place: 'topic' })
  expect(draft).toMatchObject({ version, content: rich('The first sip', 'Rain') })
})

test('a device that continues the saved version replaces it; one with an older version gets the newer back, and overwrites nothing', async () => {
  const first = await mei.call(saveDraft, { place: 'topic', content: rich('on the phone'), writer: phone })
  const second = await mei.call(saveDraft, { place: 'topic', content: rich('on the desk'), writer: desktop, basedOn: first.version ?? '' })
  expect(second.other).toBe(null)

  const late = await mei.call(saveDraft, {
    place: 'topic',
    content: rich('on the phone again'),
    writer: phone,
    basedOn: first.version ?? '',
  })
  expect(late).toMatchObject({ version: null, other: { version: second.version, content: rich('on the desk') } })
  expect((await mei.call(oneDraft, { place: 'topic' })).draft?.content).toEqual(rich('on the desk'))
})

test('a save with a lost answer makes no other version, nor does the same text', async () => {
  await mei.call(saveDraft, { place: 'topic', content: rich('lost on the way'), writer: phone })
  const again = await mei.call(saveDraft, { place: 'topic', content: rich('lost on the way, and on'), writer: phone })
  expect(again.other).toBe(null)
  expect(await mei.call(saveDraft, { place: 'topic', content: rich('lost on the way, and on'), writer: desktop })).toEqual(again)
})

test('several devices that begin at once end with one draft, and the others get it back', async () => {
  const begin = (writer: string) => mei.call(saveDraft, { place: 'comment 7', content: rich(writer), writer })
  const answers = await Promise.all([begin('writer-a'), begin('writer-b'), begin('writer-c')])
  expect(answers.filter(({ other }) => other === null)).toHaveLength(1)
  expect(answers.filter(({ version }) => version === null)).toHaveLength(2)
})

test('a sent draft is dropped, unless another device wrote since', async () => {
  const first = await mei.call(saveDraft, { place: 'topic', content: rich('sent'), writer: phone })
  const second = await mei.call(saveDraft, { place: 'topic', content: rich('not sent'), writer: desktop, basedOn: first.version ?? '' })
  await mei.call(dropDraft, { place: 'topic', version: first.version ?? '' })
  expect((await mei.call(oneDraft, { place: 'topic' })).draft?.version).toBe(second.version)
  await mei.call(dropDraft, { place: 'topic', version: second.version ?? '' })
  expect((await mei.call(oneDraft, { place: 'topic' })).draft).toBe(null)
})

test('a member cannot see, overwrite or drop the draft of another', async () => {
  const tom = await forum.member()
  const { version } = await mei.call(saveDraft, { place: 'topic', content: rich('mine alone'), writer: phone })
  expect((await tom.call(oneDraft, { place: 'topic' })).draft).toBe(null)
  expect((await tom.call(listDrafts, {})).drafts).toEqual([])
  await tom.call(dropDraft, { place: 'topic', version: version ?? '' })
  await tom.call(saveDraft, { place: 'topic', content: rich('Tom’s'), writer: phone, basedOn: version ?? '' })
  expect((await mei.call(oneDraft, { place: 'topic' })).draft?.content).toEqual(rich('mine alone'))
})

test('visitors have no drafts here', async () => {
  const visitor = forum.visitor()
  for (const [call, input] of [
    [oneDraft, { place: 'topic' }],
    [listDrafts, {}],
    [saveDraft, { place: 'topic', content: rich('x'), writer: phone }],
    [dropDraft, { place: 'topic', version: '1' }],
  ] as const)
    expect((await visitor.tryCall(call, input as never)).status).toBe(401)
})

test.each<[string, object]>([
  ['a place that is none', { place: 'topic 7' }],
  ['a place of another kind', { place: 'edit user 7' }],
  ['a hostile document', { content: { text: { view: 'rich', doc: { type: 'doc', content: [{ type: 'script' }] } }, fields: {} } }],
  ['half a character', { content: { text: { view: 'markdown', text: '\ud800' }, fields: {} } }],
  ['a text without end', { content: { text: { view: 'markdown', text: 'x'.repeat(400_000) }, fields: {} } }],
  ['fields without end', { content: { text: null, fields: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 'x'])) } }],
])('%s is refused', async (_, change) => {
  const wrong = { place: 'topic', content: rich('x'), writer: phone, ...change }
  expect([400, 422]).toContain((await mei.tryCall(saveDraft, wrong)).status)
})

test('a hundred drafts are kept, and the next is refused in words', async () => {
  const rows = Array.from({ length: maxDrafts }, (_, n) => ({
    member_id: mei.id,
    place: `comment ${n + 1}`,
    content: JSON.stringify(rich('x')),
    writer: phone,
    device: '',
  }))
  await forum.database.app.insertInto('draft').values(rows).execute()
  expect(await mei.isRefused(saveDraft, { place: 'topic', content: rich('x'), writer: phone }, TooManyDrafts)).toBe(true)
  const { version } = await mei.call(saveDraft, { place: 'comment 7', content: rich('known'), writer: phone })
  expect(version).not.toBe(null)
})

test('the list says where each draft belongs, as far as its writer may still see that', async () => {
  const tom = await forum.member()
  const topicId = await aTopic(tom, tagId, { title: 'Which water for tea?' })
  const commentId = await aComment(tom, topicId)
  const replyId = await aReply(tom, commentId)
  const few = await aClosedTag(forum.database)
  await few.admit(tom.id)
  const closed = await aTopic(tom, few.tagId, { title: 'For few' })
  const removedTopicId = await aTopic(tom, tagId)
  await tom.call(removeTopic, { topicId: removedTopicId })

  const places = [
    'topic',
    `comment ${topicId}`,
    `reply ${commentId} ${replyId}`,
    `edit reply ${replyId}`,
    `comment ${closed}`,
    `comment ${removedTopicId}`,
  ]
  for (const place of places)
    await mei.call(saveDraft, { place, content: rich(`In ${place}`, place === 'topic' ? 'A title' : undefined), writer: phone })
  const { drafts } = await mei.call(listDrafts, {})
  const at = { id: topicId, kind: 'topic', title: 'Which water for tea?' }
  expect(drafts.map(({ place, kind, topic, commentId: stands, title, text }) => [place, kind, topic, stands, title, text])).toEqual([
    [`comment ${removedTopicId}`, 'comment', null, null, '', `In comment ${removedTopicId}`],
    [`comment ${closed}`, 'comment', null, null, '', `In comment ${closed}`],
    [`edit reply ${replyId}`, 'edit reply', at, commentId, '', `In edit reply ${replyId}`],
    [`reply ${commentId} ${replyId}`, 'reply', at, commentId, '', `In reply ${commentId} ${replyId}`],
    [`comment ${topicId}`, 'comment', at, null, '', `In comment ${topicId}`],
    ['topic', 'topic', null, null, 'A title', 'In topic'],
  ])
})

test('the list reveals nothing about posts without access for its reader', async () => {
  const tom = await forum.member()
  const few = await aClosedTag(forum.database)
  await few.admit(tom.id)
  const hidden = await aComment(tom, await aTopic(tom, few.tagId))
  const hiddenReply = await aReply(tom, hidden)
  const seen = await aComment(tom, await aTopic(tom, tagId))
  const removed = await aReply(tom, seen)
  await tom.call(removeRemark, { kind: 'reply', id: removed })
  const pendingReply = await aReply(tom, seen)
  await forum.database.app.updateTable('reply').set({ status: 'pending' }).where('id', '=', pendingReply).execute()

  const never = '999999999'
  const places = [
    ...[hidden, never].flatMap((id) => [`reply ${id}`, `edit comment ${id}`]),
    ...[hiddenReply, removed, pendingReply, never].map((id) => `edit reply ${id}`),
  ]
  for (const place of places) await mei.call(saveDraft, { place, content: rich('x'), writer: phone })
  const { drafts } = await mei.call(listDrafts, {})
  expect(drafts.map(({ topic, commentId }) => [topic, commentId])).toEqual(places.map(() => [null, null]))
})

test('a file in a draft is not cleaned up while the draft is kept', async () => {
  const id = `f_${'x'.repeat(22)}`
  const file = {
    id,
    owner_id: mei.id,
    kind: 'picture' as const,
    type: 'image/webp',
    width: 10,
    height: 10,
    bytes: 10,
    sha256: Buffer.alloc(32),
  }
  await forum.database.app.insertInto('file').values(file).execute()
  const doc: Doc = { type: 'doc', content: [{ type: 'image', attrs: { file: id, alt: '', width: 10, height: 10 } }] }
  await mei.call(saveDraft, { place: 'topic', content: { text: { view: 'rich', doc }, fields: {} }, writer: phone })
  const { isAhead } = await forum.database.app
    .selectFrom('file')
    .select(sql<boolean>`unused_since > now() + interval '80 days'`.as('isAhead'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(isAhead).toBe(true)
})

test('a draft untouched for ninety days is purged', async () => {
  const old = await forum.member()
  for (const who of [mei, old]) await who.call(saveDraft, { place: 'topic', content: rich('x'), writer: phone })
  await forum.database.app
    .updateTable('draft')
    .set({ saved_at: sql<Date>`now() - interval '91 days'` })
    .where('member_id', '=', old.id)
    .execute()
  await forum.database.app.transaction().execute(purgeExpired)
  expect((await old.call(oneDraft, { place: 'topic' })).draft).toBe(null)
  expect((await mei.call(oneDraft, { place: 'topic' })).draft).not.toBe(null)
})

test('a draft of a message is listed with its receiver', async () => {
  const tom = await forum.member()
  const place = `message ${tom.id}`
  await mei.call(saveDraft, { place, content: rich('Good morning'), writer: phone })
  expect((await mei.call(listDrafts, {})).drafts).toMatchObject([
    { place, kind: 'message', member: { id: tom.id, name: tom.account }, topic: null, text: 'Good morning' },
  ])
  await mei.call(saveDraft, { place: 'message 999999', content: rich('Hello?'), writer: phone })
  expect((await mei.call(listDrafts, {})).drafts[0]).toMatchObject({ kind: 'message', member: null })
})
