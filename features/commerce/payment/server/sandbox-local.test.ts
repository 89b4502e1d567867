import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { readConfig } from '#base/server/config.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import * as contract from '#payment/contract.ts'
import { creditEvent, staffEvent } from '#payment/event-contract.ts'
import { eventList } from '#payment/staff-contract.ts'
import { sandboxCode } from '#payment/server/sandbox-code.ts'
import { atMachine, letAsk, takes, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let mei: Person

beforeEach(async () => {
  // A proxy that one test shows must not close the sandbox of the next.
  forum = await aForum({ isOneServer: true })
  await withSandbox(forum)
  mei = atMachine(await forum.member())
})
afterEach(() => setSiteAddress(readConfig({})))

const has = async () => (await mei.call(balance, {})).account.balance
const begin = (headers: Record<string, string> = {}, who = mei) =>
  who.tryCall(contract.topUp, { amount: '12.50', provider: 'sandbox', method: 'page' } as never, { ...newIdempotencyKey(), ...headers })

const signs: [string, Record<string, string>][] = [
  ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
  ['Via', { via: '1.1 cache' }],
  ['a public Host', { host: 'tea.example.org' }],
]

test.each(signs)('a call with %s begins no sandbox payment and sets no outcome', async (_, headers) => {
  const { number } = (await begin()).body
  expect((await mei.tryCall(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() }, headers)).status).toBe(404)
  const { status, error } = await begin(headers)
  expect([status, Object.keys(error)]).toEqual([422, ['way']])
  expect((await mei.call(contract.paymentForm, {}, headers)).ways).toEqual([])
  await workOff(forum.database)
  expect(await has()).toBe('0.00')
})

test('an outcome with another code than is printed at the start is refused at its field', async () => {
  const { number } = (await begin()).body
  for (const code of ['', 'none', sandboxCode().slice(0, -1), `${sandboxCode()}0`, '０'.repeat(12)]) {
    const { status, error } = await mei.tryCall(contract.paySandbox, { number, outcome: 'paid', code })
    expect([status, Object.keys(error)]).toEqual([422, ['code']])
  }
  await workOff(forum.database)
  expect(await has()).toBe('0.00')
})

test('the code is taken in capitals, without hyphens and with blanks around it', async () => {
  for (const code of [sandboxCode().toUpperCase(), sandboxCode().replaceAll('-', ''), ` ${sandboxCode()} `])
    await mei.call(contract.paySandbox, { number: (await begin()).body.number, outcome: 'paid', code })
  await workOff(forum.database)
  expect(await has()).toBe('37.50')
})

test('a call from another machine begins no sandbox payment, whatever its Host header', async () => {
  const far = Object.assign(await forum.member(), { ip: '192.168.1.7' })
  expect((await begin({ host: 'localhost' }, far)).status).toBe(422)
  expect((await far.call(contract.paymentForm, {})).ways).toEqual([])
})

test('a sandbox behind a proxy that adds no header is closed by the first visitor’s Host', async () => {
  const port = Number(new URL(await forum.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const { number } = (await begin()).body
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.end('GET /api/baseInfo HTTP/1.1\r\nHost: tea.example.org\r\nConnection: close\r\n\r\n'),
    )
    socket.resume().on('close', () => resolve())
  })
  expect((await begin({ host: 'localhost' })).status).toBe(422)
  expect((await mei.tryCall(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() }, { host: 'localhost' })).status).toBe(404)
})

test('an order of the sandbox credits nothing once the site has an address', async () => {
  const chief = await aStaffer(forum)
  const { number } = (await begin()).body
  const other = (await tops(mei, '5')).body.number
  await mei.call(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() })
  await takes(forum.database, other)
  setSiteAddress(readConfig({ TEAHOUSE_URL: 'https://tea.example.org' }))
  await workOff(forum.database)
  await letAsk(forum.database, other)
  expect(await has()).toBe('0.00')
  const events = await forum.database.app.selectFrom('payment_event').select(['state', 'problem']).execute()
  expect(events).toEqual([
    { state: 'suspended', problem: 'sandbox' },
    { state: 'suspended', problem: 'sandbox' },
  ])
  expect((await mei.tryCall(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() })).status).toBe(404)
  const [event] = (await chief.call(eventList, { number })).rows
  const eventId = event?.id ?? ''
  expect((await chief.call(staffEvent, { eventId })).canCredit).toBe(false)
  expect((await chief.tryCall(creditEvent, { eventId, memberId: mei.id, reason: 'They paid it' }, newIdempotencyKey())).status).toBe(
    contract.NoMoney.status,
  )
  expect(await has()).toBe('0.00')
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})
