import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { chooseOutbox } from '#delivery/testing/factories.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contact from '#contact/server/contact.ts'
import { send, type OutboundMessage } from '#delivery/server/delivery.ts'
import { deliveryList } from '#delivery/log-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const db = forum.database.app
const chief = await aStaffer(forum)

beforeEach(async () => {
  await db.deleteFrom('delivery').execute()
})

const order = (more: Partial<OutboundMessage> & { to: string }) =>
  transact(forum.database, (tx) =>
    send(tx, {
      effectKey: randomUUID(),
      channel: 'email',
      template: 'newLogin',
      values: { device: 'a', place: 'b' },
      language: 'zh',
      ...more,
    }),
  )
const rowsOf = async (input: Parameters<typeof chief.call<typeof deliveryList>>[1]) =>
  (await chief.call(deliveryList, input)).rows.map(({ to, template }) => `${to} ${template}`)

test('messages are found by channel, template and state', async () => {
  await order({ to: 'mei@example.com' })
  await order({ to: 'tom@example.com', template: 'dataReady' })
  await order({ channel: 'sms', to: '+8613800001234', template: 'numberChanged' })
  await db
    .updateTable('delivery')
    .set({ state: 'refused', content: null, settled_at: new Date(), error: 'No such box' })
    .where('template', '=', 'dataReady')
    .execute()
  expect(await rowsOf({ channel: 'sms' })).toEqual(['+86****1234 numberChanged'])
  expect(await rowsOf({ template: 'newLogin' })).toEqual(['m***@example.com newLogin'])
  const { rows } = await chief.call(deliveryList, { state: 'refused' })
  expect(rows).toMatchObject([{ to: 't***@example.com', error: 'No such box' }])
  expect(await rowsOf({ channel: 'email', state: 'sent' })).toEqual([])
})

test('its pages go back and forth', async () => {
  await db
    .insertInto('delivery')
    .values(
      Array.from({ length: 35 }, (_, n) => ({
        effect_key: `page ${n}`,
        channel: 'email' as const,
        template: 'test',
        language: 'en' as const,
        shown_as: `${n}`,
        to_hash: Buffer.alloc(32),
        state: 'sent' as const,
        settled_at: new Date(),
        useless_at: new Date(),
      })),
    )
    .execute()
  const first = await chief.call(deliveryList, {})
  expect([first.rows[0]?.to, first.rows.length, first.count]).toEqual(['34', 30, 35])
  const next = await chief.call(deliveryList, { cursor: first.next ?? '' })
  expect(next.rows.map(({ to }) => to)).toEqual(['4', '3', '2', '1', '0'])
})

test('messages to an address are found by the whole address, in any spelling, and by no part', async () => {
  await order({ to: 'mei@example.com' })
  await order({ to: 'max@example.com' })
  await order({ channel: 'sms', to: '+8613800001234', template: 'numberChanged' })
  expect(await rowsOf({ to: ' Mei@Example.com ' })).toEqual(['m***@example.com newLogin'])
  for (const to of ['+86 138 0000 1234', '008613800001234', '138-0000-1234']) expect(await rowsOf({ to })).toHaveLength(1)
  for (const to of ['mei@example', 'm***@example.com', 'mei', '+86****1234', '%', "' or true --"]) expect(await rowsOf({ to })).toEqual([])
})

test('messages to a member are found by their account name', async () => {
  const mei = await forum.member('mei_of_the_log')
  await transact(forum.database, async (tx) => {
    await contact.bind(tx, mei.id, { kind: 'email', address: 'mei@tea.example' })
    await contact.bind(tx, mei.id, { kind: 'phone', address: '+8613900005678' })
  })
  await order({ to: 'mei@tea.example' })
  await order({ channel: 'sms', to: '+8613900005678', template: 'numberChanged' })
  await order({ to: 'tom@tea.example' })
  expect((await rowsOf({ to: 'MEI_of_the_log' })).toSorted()).toEqual(['+86****5678 numberChanged', 'm***@tea.example newLogin'])
  expect(await rowsOf({ to: 'nobody_at_all' })).toEqual([])
  expect((await chief.call(auditLog, { about: `member ${mei.id}`, action: 'delivery.find' })).rows).toHaveLength(1)
})

test('a search for an address is logged, without the address', async () => {
  const clerk = await aStaffer(forum, ['setting.view'])
  await clerk.call(deliveryList, { to: 'mona@example.com' })
  await clerk.call(deliveryList, { to: 'mona@example.com' })
  await clerk.call(deliveryList, { to: 'mike@example.com' })
  await clerk.call(deliveryList, { state: 'failed' })
  const { rows } = await chief.call(auditLog, { account: clerk.account })
  expect(rows.map(({ action, about }) => `${action} ${about?.split('#')[0]}`)).toEqual([
    'delivery.find recipient m***@example.com',
    'delivery.find recipient m***@example.com',
  ])
  expect(JSON.stringify(rows)).not.toMatch(/mona|mike/)
})

test('only staff with the right to see settings read the log', async () => {
  const mei = await forum.member()
  const helper = await aStaffer(forum, ['member.view'])
  const statuses = await Promise.all(
    [forum.visitor(), mei, helper].map(async (who) => (await who.tryCall(deliveryList, { to: 'mei' })).status),
  )
  expect(statuses).toEqual([401, 401, 403])
  expect((await chief.tryCall(deliveryList, { state: 'lost' as never })).status).toBe(400)
})
