import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { runs } from '#base/testing/extent.ts'
import { block, unblock } from '#follow/contract.ts'
import * as contract from '#message/contract.ts'
import { asMember } from '#message/server/as-member.ts'
import { aMessage, saidBetween, talking } from '#message/testing/factories.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
})

const draft = (to: Person, text = 'hello', key: string = randomUUID()) => ({ userId: to.id, body: says(text), key })
const many = <T>(times: number, action: (time: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, time) => action(time)))

async function two(): Promise<[Person, Person]> {
  const pair: [Person, Person] = [await forum.member(), await forum.member()]
  await talking(...pair)
  return pair
}

type Side = { member_id: string; other_id: string; last_id: string; unread: number; last: string; counted: number }

/** The conversations whose counters differ from a recount. */
async function wrong(people: readonly Person[]): Promise<Side[]> {
  const all = people.map(({ id }) =>
    asMember(forum.database.app, id, async (as) => {
      const { rows } = await sql<Side>`
        select side.*, coalesce(max(message.id), 0) as last,
          (count(*) filter (where author_id = other_id and message.id > read_to))::int as counted
        from conversation_participant as side left join message on low_id = least(member_id, other_id) and high_id = greatest(member_id, other_id)
          and is_message_visible(message, member_id)
        where member_id = ${id} group by member_id, other_id`.execute(as)
      return rows.filter(({ last_id, unread, last, counted }) => last_id !== last || unread !== counted)
    }),
  )
  return (await Promise.all(all)).flat()
}

test('a message sent many times at once, to two members, exists once, and the second receiver’s key is refused', async () => {
  const [mei, tom] = await two()
  const bo = await forum.member()
  await bo.call(contract.changeMessageSettings, { from: 'everybody' })
  const key = randomUUID()
  const answers = await many(8, (time) => tom.tryCall(contract.send, draft(time % 2 ? mei : bo, 'once', key)))
  const sent = answers.filter(({ status }) => status === 200)
  expect(new Set(sent.map(({ body }) => body.message.id)).size).toBe(1)
  expect(answers.filter(({ error }) => 'key' in error)).toHaveLength(answers.length - sent.length)
  expect([...(await saidBetween(mei, tom)), ...(await saidBetween(bo, tom))].filter((text) => text === 'once')).toHaveLength(1)
})

test('a member who reads while another writes loses no count, nor does one who marks all as read', async () => {
  const [mei, tom] = await two()
  const seen = await aMessage(tom, mei)
  await Promise.all([
    many(6, () => tom.call(contract.send, draft(mei))),
    many(4, () => mei.call(contract.markRead, { userId: tom.id, upTo: seen })),
    many(4, () => mei.call(contract.markAllRead, { upTo: seen })),
  ])
  expect(await wrong([mei, tom])).toEqual([])
  expect((await mei.call(unreadMessageCount, {})).privateMessageCount).toBe(6)
})

test('a deleted conversation keeps the messages that arrived after the deletion', async () => {
  const [mei, tom] = await two()
  const seen = await aMessage(tom, mei, 'seen')
  await Promise.all([
    many(6, (time) => tom.call(contract.send, draft(mei, `new ${time}`))),
    mei.call(contract.remove, { userId: tom.id, upTo: seen }),
  ])
  expect((await saidBetween(mei, tom)).toSorted()).toEqual(Array.from({ length: 6 }, (_, time) => `new ${time}`))
  expect(await wrong([mei, tom])).toEqual([])
})

test('a member who blocks while another writes gets no message after it', async () => {
  const [mei, tom] = await two()
  await Promise.all([many(6, () => tom.tryCall(contract.send, draft(mei))), mei.call(block, { userId: tom.id, way: 'blocked' })])
  const before = (await saidBetween(mei, tom)).length
  expect(await tom.isRefused(contract.send, draft(mei), contract.NotReceiving)).toBe(true)
  expect((await saidBetween(mei, tom)).length).toBe(before)
  expect(await wrong([mei, tom])).toEqual([])
})

test('two first messages at once make one conversation, accepted', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  await Promise.all([mei.call(contract.send, draft(tom)), tom.call(contract.send, draft(mei))])
  for (const [one, other] of [
    [mei, tom],
    [tom, mei],
  ] as const)
    expect(await one.call(contract.conversation, { userId: other.id })).toMatchObject({ request: null, messages: [{}, {}] })
  expect(await wrong([mei, tom])).toEqual([])
})

test('no more than so many are a request, however many are sent at once', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const answers = await many(8, () => tom.tryCall(contract.send, draft(mei)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(contract.maxRequestMessages)
})

const actionOf = fc.record({
  what: fc.constantFrom('send', 'send', 'send', 'read', 'readAll', 'removeOne', 'removeAll', 'accept', 'block', 'unblock'),
  who: fc.nat(2),
  whom: fc.nat(1),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
})
type Action = { what: string; who: number; whom: number; at: number }

test('after any actions in any order, the counts equal a recount', async () => {
  const people = [await forum.member(), await forum.member(), await forum.member()]
  const sent: string[] = []
  async function happens({ what, who, whom, at }: Action): Promise<void> {
    const [one, other] = [people[who], people[(who + whom + 1) % 3]]
    if (!one || !other) return
    const userId = other.id
    const messageId = sent[Math.floor(at * sent.length)] ?? '1'
    if (what === 'send') {
      const { status, body } = await one.tryCall(contract.send, draft(other))
      if (status === 200) sent.push(body.message.id)
    } else if (what === 'read') await one.call(contract.markRead, { userId, upTo: messageId })
    else if (what === 'readAll') await one.call(contract.markAllRead, at > 0.5 ? {} : { upTo: messageId })
    else if (what === 'removeOne') await one.tryCall(contract.remove, { userId, messageId })
    else if (what === 'removeAll') await one.tryCall(contract.remove, { userId, upTo: '999999999' })
    else if (what === 'accept') await one.tryCall(contract.accept, { userId })
    else if (what === 'block') await one.tryCall(block, { userId, way: 'blocked' })
    else await one.tryCall(unblock, { userId })
  }
  const property = fc.asyncProperty(fc.array(actionOf, { minLength: 4, maxLength: 9 }), async (actions) => {
    for (const action of actions) await happens(action)
    expect(await wrong(people)).toEqual([])
  })
  await fc.assert(property, { numRuns: runs(8), endOnFailure: true })
})
