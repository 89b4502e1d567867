import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { addFollow, block, unblock } from '#follow/contract.ts'
import * as contract from '#message/contract.ts'
import { asMember } from '#message/server/as-member.ts'
import { aMessage, conversationsOf, saidBetween, talking } from '#message/testing/factories.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { TooSoon } from '#writing/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

const change = (values: Partial<Settings>) => transact(forum.database, (tx) => applySettings(tx, values))
const draft = (to: Person, text = 'hello', key: string = randomUUID()) => ({ userId: to.id, body: says(text), key })
const unreadOf = async (who: Person) => (await who.call(unreadMessageCount, {})).privateMessageCount
const closedTo = async (from: Person, to: Person) => (await from.call(contract.conversation, { userId: to.id })).closed
const setting = (who: Person, from: contract.Senders) => who.call(contract.changeMessageSettings, { from })

describe('a message', () => {
  test('is read by its two members, oldest first, and by no one else', async () => {
    await talking(mei, tom)
    await aMessage(mei, tom, 'How is the tea?')
    await aMessage(tom, mei, 'Still warm')
    const all = ['Good morning', 'How is the tea?', 'Still warm']
    expect(await saidBetween(mei, tom)).toEqual(all)
    expect(await saidBetween(tom, mei)).toEqual(all)
    for (const other of [mei, tom]) expect(await saidBetween(bo, other)).toEqual([])
    expect(await conversationsOf(mei)).toEqual([[tom.id, 'Still warm', 2]])
    expect(await conversationsOf(tom)).toEqual([[mei.id, 'Still warm', 1]])
    expect(await conversationsOf(bo)).toEqual([])
  })

  test('shows whose it is, and its key to its author alone', async () => {
    await talking(mei, tom)
    const key = randomUUID()
    const { message } = await mei.call(contract.send, draft(tom, 'hello', key))
    expect(message).toMatchObject({ isMine: true, key })
    const latest = async (who: Person, other: Person) => (await who.call(contract.conversation, { userId: other.id })).messages.at(-1)
    expect(await latest(mei, tom)).toEqual(message)
    expect(await latest(tom, mei)).toEqual({ ...message, isMine: false, key: null })
  })

  test('sent again with its key is the first, at once or later, even after a deletion', async () => {
    await talking(mei, tom)
    const key = randomUUID()
    const [one, other] = await Promise.all([
      tom.call(contract.send, draft(mei, 'once', key)),
      tom.call(contract.send, draft(mei, 'once', key)),
    ])
    expect(other).toEqual(one)
    await mei.call(contract.remove, { userId: tom.id, upTo: one.message.id })
    await mei.call(block, { userId: tom.id, way: 'blocked' })
    expect(await tom.call(contract.send, draft(mei, 'another text', key))).toEqual(one)
    expect(await saidBetween(mei, tom)).toEqual([])
    expect(await saidBetween(tom, mei)).toEqual(['Good morning', 'once'])
  })

  test('sent again with its key to another member is refused', async () => {
    await talking(mei, tom)
    await talking(mei, bo)
    const sent = draft(tom, 'for you')
    await mei.call(contract.send, sent)
    expect(await mei.isRefused(contract.send, { ...sent, userId: bo.id }, contract.KeyOfAnother)).toBe(true)
    expect(await saidBetween(bo, mei)).toEqual(['Good morning'])
  })

  test('is not for visitors, to oneself, or to a missing member', async () => {
    for (const call of [contract.conversations, contract.messageSettings])
      expect((await forum.visitor().tryCall(call, {})).status).toBe(401)
    expect((await forum.visitor().tryCall(contract.send, draft(mei))).status).toBe(401)
    expect(await mei.isRefused(contract.send, draft(mei), contract.Yourself)).toBe(true)
    expect((await mei.tryCall(contract.send, { ...draft(mei), userId: '999999' })).status).toBe(404)
    expect((await mei.tryCall(contract.conversation, { userId: '999999' })).status).toBe(404)
    expect((await mei.tryCall(contract.conversation, { userId: mei.id })).status).toBe(404)
  })

  test('that says nothing is refused at its field', async () => {
    for (const text of ['', ' \u2800\u200b '])
      expect([text, Object.keys((await mei.tryCall(contract.send, draft(tom, text))).error)]).toEqual([text, ['body']])
  })

  test('does not go to a deactivated member, and the conversation stays', async () => {
    await talking(mei, tom)
    await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${tom.id}`.execute(forum.database.app)
    expect((await mei.tryCall(contract.send, draft(tom))).status).toBe(404)
    expect(await closedTo(mei, tom)).toBe('gone')
    expect(await saidBetween(mei, tom)).toEqual(['Good morning'])
  })

  test('waits its time, longer for a new member', async () => {
    await talking(mei, tom)
    await change({ secondsBetweenMessages: 60 })
    expect(await tom.isRefused(contract.send, draft(mei), TooSoon)).toBe(true)
    await change({ secondsBetweenMessages: 0, newMemberSecondsBetweenMessages: 60 })
    await aMessage(tom, mei)
    await change({ newMemberDays: 3 })
    expect(await tom.isRefused(contract.send, draft(mei), TooSoon)).toBe(true)
    await change({ newMemberDays: 0, newMemberSecondsBetweenMessages: 0 })
  })
})

describe('a member who does not follow back', () => {
  test('is asked: some messages are a request, apart from the others, until it is accepted', async () => {
    for (let time = 0; time < contract.maxRequestMessages; time++) await aMessage(tom, mei, `${time}`)
    expect(await tom.isRefused(contract.send, draft(mei), contract.RequestWaits)).toBe(true)
    expect(await closedTo(tom, mei)).toBe('requestWaits')
    expect(await conversationsOf(mei)).toEqual([])
    expect(await conversationsOf(mei, 'requests')).toEqual([[tom.id, '2', 3]])
    expect(await unreadOf(mei)).toBe(0)
    expect(await tom.call(contract.conversation, { userId: mei.id })).toMatchObject({ request: 'mine' })
    expect(await mei.call(contract.conversation, { userId: tom.id })).toMatchObject({ request: 'theirs', closed: null })
    await mei.call(contract.accept, { userId: tom.id })
    expect(await unreadOf(mei)).toBe(3)
    expect(await conversationsOf(mei)).toEqual([[tom.id, '2', 3]])
    await aMessage(tom, mei, 'Thank you')
    expect(await mei.isRefused(contract.accept, { userId: tom.id }, contract.NothingToAccept)).toBe(true)
    expect(await tom.isRefused(contract.accept, { userId: mei.id }, contract.NothingToAccept)).toBe(true)
  })

  test('accepts by writing back', async () => {
    await aMessage(tom, mei)
    await aMessage(mei, tom, 'Hello yourself')
    for (let time = 0; time < 4; time++) await aMessage(tom, mei, 'and so on')
    expect(await mei.call(contract.conversation, { userId: tom.id })).toMatchObject({ request: null })
    expect(await conversationsOf(mei, 'requests')).toEqual([])
  })

  test('is not asked if they follow, or receive from everyone; and gets no message if they receive from no one', async () => {
    await mei.call(addFollow, { of: 'member', id: tom.id })
    await aMessage(tom, mei)
    await setting(bo, 'everybody')
    await aMessage(tom, bo)
    for (const other of [mei, bo]) expect(await conversationsOf(other)).toHaveLength(1)
    const ann = await forum.member()
    expect(await ann.call(contract.messageSettings, {})).toEqual({ from: 'followed' })
    await setting(ann, 'nobody')
    expect(await ann.call(contract.messageSettings, {})).toEqual({ from: 'nobody' })
    expect(await tom.isRefused(contract.send, draft(ann), contract.NotReceiving)).toBe(true)
    await ann.call(addFollow, { of: 'member', id: tom.id })
    await aMessage(tom, ann)
  })
})

test('blocking looks like receiving from no one; only the blocking member can tell the difference', async () => {
  await talking(mei, tom)
  await mei.call(block, { userId: tom.id, way: 'blocked' })
  await setting(bo, 'nobody')
  const [blocked, none] = [await tom.tryCall(contract.send, draft(mei)), await tom.tryCall(contract.send, draft(bo))]
  expect([blocked.status, blocked.body]).toEqual([none.status, none.body])
  expect([await closedTo(tom, mei), await closedTo(tom, bo)]).toEqual(['notReceiving', 'notReceiving'])
  expect(await mei.isRefused(contract.send, draft(tom), contract.BlockedByYou)).toBe(true)
  expect(await closedTo(mei, tom)).toBe('blockedByYou')
  await mei.call(unblock, { userId: tom.id })
  await aMessage(tom, mei)
})

describe('the read marker', () => {
  test('counts up to a message, and later messages are unread', async () => {
    await talking(mei, tom)
    const second = await aMessage(tom, mei)
    await aMessage(tom, mei)
    expect(await unreadOf(mei)).toBe(3)
    await mei.call(contract.markRead, { userId: tom.id, upTo: second })
    expect(await unreadOf(mei)).toBe(1)
    await mei.call(contract.markRead, { userId: tom.id, upTo: '1' })
    expect(await unreadOf(mei)).toBe(1)
    await mei.call(contract.markRead, { userId: tom.id, upTo: '999999999' })
    expect(await unreadOf(mei)).toBe(0)
    await aMessage(tom, mei)
    expect(await unreadOf(mei)).toBe(1)
  })

  test('covers all messages, or all seen ones, except requests', async () => {
    await talking(mei, tom)
    await talking(mei, bo)
    const latest = await aMessage(bo, mei)
    await aMessage(tom, mei)
    await mei.call(contract.markAllRead, { upTo: latest })
    expect(await unreadOf(mei)).toBe(1)
    await setting(mei, 'followed')
    await aMessage(await forum.member(), mei)
    await mei.call(contract.markAllRead, {})
    expect(await unreadOf(mei)).toBe(0)
    expect((await conversationsOf(mei, 'requests')).map(([, , unread]) => unread)).toEqual([1])
  })
})

describe('deleting', () => {
  test('removes one’s own copy, of one message or of all up to one, and never the other’s', async () => {
    await talking(mei, tom)
    const second = await aMessage(tom, mei, 'second')
    await aMessage(tom, mei, 'third')
    await mei.call(contract.remove, { userId: tom.id, messageId: second })
    expect(await saidBetween(mei, tom)).toEqual(['Good morning', 'third'])
    expect(await unreadOf(mei)).toBe(2)
    await mei.call(contract.remove, { userId: tom.id, upTo: second })
    expect(await saidBetween(mei, tom)).toEqual(['third'])
    expect((await mei.tryCall(contract.remove, { userId: tom.id })).status).toBe(422)
    const { lastId } = await mei.call(contract.conversation, { userId: tom.id })
    await mei.call(contract.remove, { userId: tom.id, upTo: lastId ?? '' })
    expect(await conversationsOf(mei)).toEqual([])
    expect((await mei.call(contract.conversation, { userId: tom.id })).lastId).toBe(null)
    expect(await unreadOf(mei)).toBe(0)
    expect(await saidBetween(tom, mei)).toEqual(['Good morning', 'second', 'third'])
    await aMessage(tom, mei, 'fourth')
    expect(await conversationsOf(mei)).toEqual([[tom.id, 'fourth', 1]])
    expect((await mei.tryCall(contract.remove, { userId: tom.id, messageId: second })).status).toBe(404)
  })
})

describe('a change', () => {
  const revision = async (who: Person) => (await who.call(unreadMessageCount, {})).messageRevision

  test('is a new revision for the members concerned, also after an accepted request or the deletion of an old message', async () => {
    const nothing = await revision(mei)
    const first = await aMessage(tom, mei)
    const revisionBefore = await revision(tom)
    expect(await revision(mei)).not.toBe(nothing)
    await mei.call(contract.accept, { userId: tom.id })
    const accepted = await revision(tom)
    expect(accepted).not.toBe(revisionBefore)
    await aMessage(mei, tom)
    const before = await revision(tom)
    await tom.call(contract.remove, { userId: mei.id, messageId: first })
    expect(await revision(tom)).not.toBe(before)
    expect(await revision(bo)).toBe(await revision(await forum.member()))
  })

  test('in a slow transaction is a new revision, even after a quick one', async () => {
    await talking(mei, tom)
    await talking(mei, bo)
    const { app } = forum.database
    const touch = (other: Person) =>
      sql`update conversation_participant set sent = sent where member_id = ${mei.id} and other_id = ${other.id}`
    const seen: unknown[] = []
    await asMember(app, mei.id, async (slow) => {
      await touch(tom).execute(slow)
      await asMember(app, mei.id, (quick) => touch(bo).execute(quick))
      seen.push(await revision(mei))
    })
    expect(await revision(mei)).not.toBe(seen[0])
  })
})

describe('the list', () => {
  test('has the latest first, and finds by name and by text in one’s own copies', async () => {
    const ann = await forum.member('Ann_of_the_hill')
    await talking(mei, tom)
    await talking(mei, ann)
    await aMessage(ann, mei, 'I drink 龙井 all day')
    const removedId = await aMessage(tom, mei, 'Oolong is better')
    await aMessage(tom, mei, 'is it not')
    expect((await conversationsOf(mei)).map(([id]) => id)).toEqual([tom.id, ann.id])
    expect(await conversationsOf(mei, 'inbox', 'of_THE')).toMatchObject([[ann.id, 'I drink 龙井 all day', 2]])
    expect(await conversationsOf(mei, 'inbox', '井')).toMatchObject([[ann.id, 'I drink 龙井 all day', 2]])
    expect(await conversationsOf(mei, 'inbox', 'oolong')).toMatchObject([[tom.id, 'Oolong is better', 3]])
    const { lastId } = await mei.call(contract.conversation, { userId: tom.id })
    expect((await mei.call(contract.conversations, { search: 'oolong' })).conversations).toMatchObject([
      { last: { id: removedId }, lastId },
    ])
    await mei.call(contract.remove, { userId: tom.id, messageId: removedId })
    expect(await conversationsOf(mei, 'inbox', 'oolong')).toEqual([])
    expect(await conversationsOf(bo, 'inbox', '井')).toEqual([])
    expect(await conversationsOf(mei, 'inbox', '%')).toEqual([])
  })

  test('is paged, and a conversation by its messages, before one and after one', async () => {
    await talking(mei, tom)
    const ids: string[] = []
    for (let number = 0; number < 64; number++) {
      const [from, to] = number % 2 ? [mei, tom] : [tom, mei]
      ids.push(await aMessage(from, to, `${number}`))
    }
    const read = (input: { before?: string; after?: string }) => mei.call(contract.conversation, { userId: tom.id, ...input })
    const latest = await read({})
    expect([latest.messages.map(({ id }) => id), latest.hasMore]).toEqual([ids.slice(-30), true])
    const before = await read({ before: latest.messages[0]?.id ?? '' })
    expect([before.messages.map(({ id }) => id), before.hasMore]).toEqual([ids.slice(-60, -30), true])
    const first = await read({ before: before.messages[0]?.id ?? '' })
    expect([first.messages.length, first.hasMore]).toEqual([5, false])
    const after = await read({ after: ids[2] ?? '' })
    expect([after.messages.map(({ id }) => id), after.hasMore]).toEqual([ids.slice(3, 33), true])
    expect(await read({ after: ids.at(-1) ?? '' })).toMatchObject({ messages: [], hasMore: false })
  })
})

describe('a report', () => {
  const reported = (messageId: string) => ({ messageId, reason: 'Advertising' })

  test('is about another’s message in one’s own copy, once', async () => {
    await talking(mei, tom)
    const [theirs, own] = [await aMessage(tom, mei), await aMessage(mei, tom)]
    expect(await mei.isRefused(contract.report, reported(own), contract.OwnMessage)).toBe(true)
    expect((await bo.tryCall(contract.report, reported(theirs))).status).toBe(404)
    await mei.call(contract.report, reported(theirs))
    expect(await mei.isRefused(contract.report, reported(theirs), contract.ReportedAlready)).toBe(true)
    const second = await aMessage(tom, mei)
    await mei.call(contract.remove, { userId: tom.id, messageId: second })
    expect((await mei.tryCall(contract.report, reported(second))).status).toBe(404)
  })
})
