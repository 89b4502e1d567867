import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { AccountDisabled, login } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contact from '#contact/server/contact.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { addFollow } from '#follow/contract.ts'
import { addLike } from '#like/contract.ts'
import * as contract from '#leaving/contract.ts'
import { deletedColumns, eraseDue } from '#leaving/server/erase.ts'
import { sendReminders } from '#leaving/server/erasure-reminder.ts'
import { disableMember, enableMember, restoreMember } from '#member/contract.ts'
import { clean } from '#member-cleanup/contract.ts'
import { aMessage, saidBetween, talking } from '#message/testing/factories.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { closeEnded } from '#wallet/server/closing.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

const app = () => forum.database.app
const weekLater = (who: Person) =>
  sql`update account_deletion set erase_at = erase_at - interval '8 days' where member_id = ${who.id}`.execute(app())

async function logIn(who: Person): Promise<Visitor> {
  const phone = forum.visitor({ userAgent: 'a phone' })
  phone.pair = sessionOf(await phone.call(login, { account: who.account, password: who.password }))
  return phone
}

async function erased(who: Person, posts: 'stay' | 'remove' = 'stay'): Promise<void> {
  await who.call(contract.leave, { way: 'erase', posts, givesUp: true })
  await weekLater(who)
  await eraseDue(forum.database)
}

const profileOf = (who: Person) => forum.visitor().call(home, { userId: who.id })

test('a member who deactivates is logged out, shown as deactivated, and back with the next login', async () => {
  const mei = await forum.member('mei_away')
  await mei.call(contract.leave, { way: 'away' })
  expect((await mei.tryCall(contract.leaving, {})).status).toBe(401)
  expect((await profileOf(mei)).user).toMatchObject({ name: 'mei_away', isDeactivated: true })
  const phone = await logIn(mei)
  expect((await profileOf(mei)).user.isDeactivated).toBe(false)
  expect((await phone.call(contract.leaving, {})).eraseAt).toBe(null)
})

test.each(['disabled', 'cleaned up after'])('a deactivated member who is %s cannot come back by a login', async (how) => {
  const [mei, chief] = [await forum.member(), await aStaffer(forum)]
  await mei.call(contract.leave, { way: 'away' })
  const why = { memberId: mei.id, reason: 'Too much of one thing' }
  if (how === 'disabled') await chief.call(disableMember, why)
  else await chief.call(clean, { ...why, andThen: 'disable' })
  expect(await forum.visitor().isRefused(login, { account: mei.account, password: mei.password }, AccountDisabled)).toBe(true)
  await chief.call(enableMember, { memberId: mei.id })
  await logIn(mei)
})

test('a deactivated member keeps points and balance', async () => {
  const bo = await forum.member()
  await endow(forum.database, bo.id, 500)
  await bo.call(contract.leave, { way: 'away' })
  await closeEnded(forum.database)
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where owner_id = ${bo.id} and name = 'member'`.execute(app())
  expect(rows).toEqual([{ balance: '500' }])
})

test('a member who asked for erasure is reminded once, on the day before', async () => {
  const mei = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, mei.id, { kind: 'email', address: `soon${mei.id}@example.org` }))
  await mei.call(contract.leave, { way: 'erase' })
  const mailTemplates = async () => {
    await sendReminders(forum.database)
    return (await app().selectFrom('delivery').select('template').where('shown_as', '=', 's***@example.org').orderBy('id').execute()).map(
      ({ template }) => template,
    )
  }
  expect(await mailTemplates()).toEqual(['leavingBegun'])
  await sql`update account_deletion set erase_at = erase_at - interval '6.5 days' where member_id = ${mei.id}`.execute(app())
  expect([await mailTemplates(), await mailTemplates()]).toEqual([
    ['leavingBegun', 'leavingSoon'],
    ['leavingBegun', 'leavingSoon'],
  ])
})

test('a member who asked for erasure is offered to stay at the next login, and can', async () => {
  const mei = await forum.member()
  await mei.call(contract.leave, { way: 'erase' })
  const phone = await logIn(mei)
  const { systemUser } = await phone.call(baseInfo, {})
  expect(new Date(systemUser?.leavesAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 6.9 * 86_400_000)
  expect(await phone.isRefused(contract.leave, { way: 'erase' }, contract.LeavingAlready)).toBe(true)
  await phone.call(contract.stay, {})
  await weekLater(mei)
  await eraseDue(forum.database)
  expect((await phone.call(baseInfo, {})).systemUser).toMatchObject({ account: mei.account, leavesAt: null })
  expect(await phone.isRefused(contract.stay, {}, contract.NotLeaving)).toBe(true)
})

test('the rest of the account is given up expressly, and goes to the forum', async () => {
  const mei = await forum.member()
  await endow(forum.database, mei.id, 700)
  expect((await mei.call(contract.leaving, {})).left).toEqual([{ currency: 'points', amount: '700' }])
  expect(await mei.isRefused(contract.leave, { way: 'erase' }, contract.GiveUpFirst)).toBe(true)
  await erased(mei)
  await closeEnded(forum.database)
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where owner_id = ${mei.id} and name = 'member'`.execute(app())
  expect(rows).toEqual([{ balance: '0' }])
})

/** A member with data of every kind, and another who knows them. */
async function aLife(): Promise<{ mei: Person; tom: Person; topicId: string; upload: string; unused: string }> {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const send = async () => (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file as string
  const [upload, unused] = [await send(), await send()]
  const body = documentWith(paragraph({ type: 'text', text: 'My own words' }), picture(upload))
  const topicId = await aTopic(mei, tagId, { title: 'My own title', body })
  const commentId = await aComment(tom, topicId, { body: says('A remark of Tom') })
  await aReply(mei, commentId, { body: says('My own reply') })
  await aComment(mei, await aTopic(tom, tagId), { body: says('My own comment') })
  await talking(tom, mei)
  await aMessage(mei, tom, 'My own message')
  await mei.call(addFollow, { of: 'member', id: tom.id })
  await tom.call(addFollow, { of: 'member', id: mei.id })
  await transact(forum.database, (tx) => contact.bind(tx, mei.id, { kind: 'email', address: `mei${mei.id}@example.org` }))
  return { mei, tom, topicId, upload, unused }
}

test('an account that is erased leaves its posts without a name, and nothing private', async () => {
  const { mei, tom, topicId, unused } = await aLife()
  await erased(mei)
  expect((await forum.visitor().tryCall(login, { account: mei.account, password: mei.password })).status).toBe(422)
  const topic = await forum.visitor().call(thread, { topicId })
  expect(topic.title).toBe('My own title')
  expect(topic.author).toMatchObject({ name: `~${mei.id}`, isDeactivated: true, avatar: null })
  for (const { name, table, column } of deletedColumns(app())) {
    const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${mei.id}`.execute(app())
    expect(rows.length, name).toBe(0)
  }
  for (const table of ['contact', 'real_name', 'account_deletion', 'data_download'] as const)
    expect(await app().selectFrom(table).select('member_id').where('member_id', '=', mei.id).execute()).toEqual([])
  const row = await app().selectFrom('member').selectAll().where('id', '=', mei.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ password_hash: null, hint_question: null, joined_ip: null, about: '', deactivated_as: 'erased' })
  expect(Object.values(row).map(String).join(' ')).not.toContain(mei.account)
  expect(await saidBetween(tom, mei)).toContain('My own message')
  const file = await app()
    .selectFrom('file')
    .select(sql<boolean>`unused_since < now() - interval '7 days'`.as('goes'))
    .where('id', '=', unused)
    .execute()
  expect(file).toEqual([{ goes: true }])
  const mails = await app().selectFrom('delivery').select('template').where('shown_as', '=', 'm***@example.org').orderBy('id').execute()
  expect(mails.slice(-2).map(({ template }) => template)).toEqual(['leavingBegun', 'leavingDone'])
  expect((await (await aStaffer(forum)).tryCall(restoreMember, { memberId: mei.id }, newIdempotencyKey())).status).toBe(422)
})

test('posts erased with their author are off the page and empty, and posts of others stay', async () => {
  const { mei, tom, topicId, upload } = await aLife()
  await erased(mei, 'remove')
  expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(404)
  const result = await sql<{ text: string }>`
    select title || summary || body::text as text from topic where author_id = ${mei.id}
    union all select text || body::text from comment where author_id = ${mei.id}
    union all select text || body::text from reply where author_id = ${mei.id}
    union all select topic_revision.title || topic_revision.body::text from topic_revision join topic on topic.id = topic_id where author_id = ${mei.id}`.execute(
    app(),
  )
  expect(result.rows.length).toBeGreaterThan(2)
  for (const { text } of result.rows) expect(text).not.toContain('My own')
  expect(await app().selectFrom('comment').select('text').where('author_id', '=', tom.id).execute()).toEqual([{ text: 'A remark of Tom' }])
  expect(await app().selectFrom('file_use').select('file_id').where('file_id', '=', upload).execute()).toEqual([])
})

test('likes of answers stay where their asker goes with the posts, and the answered question is withdrawn', async () => {
  const [mei, tom, lin] = [await forum.member(), await forum.member(), await forum.member()]
  const questionId = await aQuestion(mei, tagId)
  const answerId = await anAnswer(tom, questionId)
  await lin.call(addLike, { kind: 'comment', id: answerId })
  await erased(mei, 'remove')
  const likes = await app()
    .selectFrom('post_like')
    .select('member_id')
    .where('post_kind', '=', 'comment')
    .where('post_id', '=', answerId)
    .execute()
  expect(likes).toEqual([{ member_id: lin.id }])
})

test('an erasure that dies half-way is resumed; two at once do it once; after its beginning the member cannot return', async () => {
  const mails = async () => (await app().selectFrom('delivery').select('id').where('template', '=', 'leavingDone').execute()).length
  const before = await mails()
  const { mei } = await aLife()
  await mei.call(contract.leave, { way: 'erase', posts: 'remove', givesUp: true })
  await weekLater(mei)
  // The state after a crash between the first and the second step.
  await sql`update account_deletion set begun_at = now() where member_id = ${mei.id}`.execute(app())
  const phone = await logIn(mei)
  expect(await phone.isRefused(contract.stay, {}, contract.NotLeaving)).toBe(true)
  await sql`update account_deletion set begun_at = null where member_id = ${mei.id}`.execute(app())
  await Promise.all([eraseDue(forum.database), eraseDue(forum.database)])
  await eraseDue(forum.database)
  expect(await app().selectFrom('account_deletion').selectAll().where('member_id', '=', mei.id).execute()).toEqual([])
  expect(await mails()).toBe(before + 1)
})

test('official members, visitors, members without a recent proof, and removing posts against the setting are refused', async () => {
  const official = await forum.member()
  await sql`update member set is_official = true where id = ${official.id}`.execute(app())
  expect(await official.isRefused(contract.leave, { way: 'away' }, contract.StaffStay)).toBe(true)
  expect((await forum.visitor().tryCall(contract.leave, { way: 'away' })).status).toBe(401)
  expect((await forum.visitor().tryCall(contract.leaving, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(contract.stay, {})).status).toBe(401)
  const bo = await forum.member()
  const allowsRemoval = (isSo: boolean) => transact(forum.database, (tx) => setting.change(tx, 'allowPostRemovalOnDeletion', isSo, 'test'))
  await allowsRemoval(false)
  expect((await bo.tryCall(contract.leave, { way: 'erase', posts: 'remove' })).status).toBe(422)
  await allowsRemoval(true)
  await sql`update session set started_at = now() - interval '1 hour' where member_id = ${bo.id}`.execute(app())
  expect((await bo.tryCall(contract.leave, { way: 'away' })).status).toBe(428)
})
