import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { block } from '#follow/contract.ts'
import { clean, mergeMembers, undoCleaning } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import * as contract from '#message/contract.ts'
import { asMember } from '#message/server/as-member.ts'
import { aMessage, conversationsOf, saidBetween, talking } from '#message/testing/factories.ts'
import { welcome } from '#message/server/welcome.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import { enterForum } from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let url: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]
const open: EventListener[] = []

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  await forum.database.invalidations.listen(() => undefined)
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const unreadOf = async (who: Person) => (await who.call(unreadMessageCount, {})).privateMessageCount

async function listen({ pair }: Person): Promise<EventListener> {
  const authorization = `Bearer ${pair?.accessToken},${pair?.refreshToken}`
  const listener = await eventListener((how) => fetch(`${url}/api/user/control/inboxNews`, how), { authorization })
  open.push(listener)
  await expect.poll(() => listener.events().length).toBe(1)
  return listener
}

type News = { privateMessageCount: number; messageRevision: string }
const latest = (listener: EventListener) => JSON.parse(listener.events().at(-1)?.data ?? '{}') as News

describe('the inbox stream of a member', () => {
  test('tells both of each message without its text, and of reading elsewhere', async () => {
    await talking(mei, tom)
    const [hers, his, theirs] = [await listen(mei), await listen(tom), await listen(bo)]
    const before = latest(his).messageRevision
    const messageId = await aMessage(tom, mei, 'zqsecret')
    await expect.poll(() => latest(hers).privateMessageCount).toBe(2)
    await expect.poll(() => latest(his).messageRevision).not.toBe(before)
    await mei.call(contract.markRead, { userId: tom.id, upTo: messageId })
    await expect.poll(() => latest(hers).privateMessageCount).toBe(0)
    expect(theirs.events()).toHaveLength(1)
    for (const listener of [hers, his, theirs]) expect(listener.text()).not.toContain('zqsecret')
  })

  test('tells the sender of a request that it was accepted', async () => {
    await aMessage(tom, mei)
    const his = await listen(tom)
    await mei.call(contract.accept, { userId: tom.id })
    await expect.poll(() => his.events().length).toBe(2)
  })
})

describe('two merged accounts', () => {
  async function mergedInto(old: Person, into: Person): Promise<void> {
    await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason: 'one and the same' })
    await resume(forum.database)
  }

  test('have the messages of both, in one conversation with each member, and none twice', async () => {
    const old = await forum.member()
    await talking(mei, old)
    await talking(mei, tom)
    await aMessage(old, mei, 'from the old one')
    await aMessage(mei, old, 'to the old one')
    await aMessage(tom, mei, 'from the new one')
    await mergedInto(old, tom)
    const all = ['Good morning', 'Good morning', 'from the old one', 'to the old one', 'from the new one']
    expect(await saidBetween(mei, tom)).toEqual(all)
    expect(await saidBetween(tom, mei)).toEqual(all)
    expect(await conversationsOf(mei)).toEqual([[tom.id, 'from the new one', 4]])
    expect(await mei.call(unreadMessageCount, {})).toMatchObject({ privateMessageCount: 4 })
    expect(await unreadOf(tom)).toBe(1)
    await aMessage(tom, mei, 'and on')
  })

  test('keep deleted messages deleted, and their own conversation with the deactivated account', async () => {
    const old = await forum.member()
    await talking(tom, old)
    await talking(mei, old)
    const removedId = await aMessage(old, mei, 'to be forgotten')
    await old.call(contract.remove, { userId: mei.id, messageId: removedId })
    await mergedInto(old, tom)
    expect(await saidBetween(tom, mei)).toEqual(['Good morning'])
    expect(await saidBetween(mei, tom)).toEqual(['Good morning', 'to be forgotten'])
    expect((await tom.call(contract.conversation, { userId: old.id })).closed).toBe('gone')
    expect(await saidBetween(tom, old)).toEqual(['Good morning'])
  })
})

test('a spammer’s messages are removed from their receivers, and come back with the undo of the clean-up', async () => {
  await talking(mei, tom)
  await aMessage(mei, tom, 'Who are you?')
  await aMessage(tom, bo, 'Buy tea')
  const { cleaningId } = await chief.call(clean, { memberId: tom.id, reason: 'spam', andThen: 'nothing' })
  expect(await saidBetween(mei, tom)).toEqual(['Who are you?'])
  expect(await conversationsOf(bo, 'requests')).toEqual([])
  expect([await unreadOf(mei), (await mei.call(contract.conversation, { userId: tom.id })).unread]).toEqual([0, 0])
  await chief.call(undoCleaning, { cleaningId })
  expect(await saidBetween(mei, tom)).toEqual(['Good morning', 'Who are you?'])
  expect(await conversationsOf(bo, 'requests')).toEqual([[tom.id, 'Buy tea', 1]])
  expect(await unreadOf(mei)).toBe(1)
})

test('a deactivated member is named as elsewhere, and their messages stay', async () => {
  await talking(mei, tom)
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled' where id = ${tom.id}`.execute(forum.database.app)
  expect(await mei.call(contract.conversation, { userId: tom.id })).toMatchObject({ member: { isDeactivated: true }, closed: 'gone' })
  expect((await mei.call(contract.conversations, {})).conversations).toMatchObject([{ member: { isDeactivated: true } }])
})

test('the official member reaches all members, and can be blocked like any other', async () => {
  const { memberId } = await chief.call(me, {})
  const official = Object.assign(forum.visitor(), { pair: await chief.call(enterForum, {}) })
  await mei.call(contract.changeMessageSettings, { from: 'nobody' })
  await aMessage(official, mei)
  expect(await conversationsOf(mei)).toEqual([[memberId, 'hello', 1]])
  await mei.call(block, { userId: memberId, way: 'blocked' })
  const draft = { userId: mei.id, body: says('hello'), key: randomUUID() }
  expect(await official.isRefused(contract.send, draft, contract.NotReceiving)).toBe(true)
})

/** Whether a member's list shows a conversation with another. */
async function lists(id: string, other: Person): Promise<boolean> {
  const { rows } = await asMember(forum.database.app, id, (as) =>
    sql<{
      count: number
    }>`select count(*)::int as count from conversation_participant where member_id = ${id} and other_id = ${other.id} and last_id > 0`.execute(
      as,
    ),
  )
  return rows[0]?.count === 1
}

test('with a welcome message, a new member has one message of the official member, and may answer', async () => {
  const { app } = forum.database
  await app.transaction().execute((tx) => welcome(tx, says('Welcome')))
  const ann = await forum.member()
  const [[official, text, unread] = ['', '', 0]] = await conversationsOf(ann)
  expect([text, unread]).toEqual(['Welcome', 1])
  expect(await lists(official, ann)).toBe(false)
  await aMessage(ann, { id: official }, 'Thank you')
  expect(await saidBetween(ann, { id: official })).toEqual(['Welcome', 'Thank you'])
  expect(await lists(official, ann)).toBe(true)
  await app.deleteFrom('welcome_message').execute()
})

test('a page of conversations is as short as it is asked for', async () => {
  await talking(mei, tom)
  await talking(mei, bo)
  const ask = (page: number) => mei.call(contract.conversations, { limit: 1, page })
  expect(await ask(1)).toMatchObject({ conversations: [{ member: { id: bo.id } }], pages: 2 })
  expect(await ask(2)).toMatchObject({ conversations: [{ member: { id: tom.id } }], pages: 2 })
  expect((await mei.tryCall(contract.conversations, { limit: contract.conversationsPerPage + 1 })).status).toBe(400)
})
