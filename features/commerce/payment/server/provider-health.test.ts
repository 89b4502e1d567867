import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { notification, paidIn, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { health } from '#payment/server/payment.ts'
import { trackCall, storeKeyTest } from '#payment/server/provider-health.ts'

let forum: Forum

beforeEach(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
})

const of = async (name = 'sandbox') => (await health(forum.database.app)).find((its) => its.name === name)
const well = {
  name: 'sandbox',
  failures: 0,
  keyProblem: null,
  endings: [],
  inboxSeconds: null,
  suspended: 0,
  unreadable: 0,
  lateOrders: 0,
  lateRefunds: 0,
}

test('failed calls in sequence are counted until one succeeds', async () => {
  const calls = (answer: () => Promise<string>) => trackCall((action) => transact(forum.database, action), 'sandbox', answer)
  const fails = () => Promise.reject(new RequestFailed('It gives no answer'))
  for (let times = 0; times < 3; times++) await expect(calls(fails)).rejects.toThrow(RequestFailed)
  expect(await of()).toEqual({ ...well, failures: 3 })
  expect(await calls(() => Promise.resolve('yes'))).toBe('yes')
  expect(await of()).toEqual(well)
})

test('waiting events, late orders and expiring certificates are reported', async () => {
  const mei = await forum.member()
  const [late, other] = [(await tops(mei, '5')).body.number, (await tops(mei, '7')).body.number]
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, other, { cents: 1n })))
  await sql`update payment_order set expires_at = now() - interval '61 minutes' where number = ${late}`.execute(forum.database.app)
  const waits = await of()
  expect(waits?.inboxSeconds).toBeGreaterThanOrEqual(0)
  expect(waits).toMatchObject({ lateOrders: 1, suspended: 0 })
  await workOff(forum.database)
  expect(await of()).toMatchObject({ inboxSeconds: null, suspended: 1 })
  // A refund of yesterday, which no rule asks about any more.
  const owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  await owner.query(`set session_replication_role = replica; insert into payment_refund (number, event_id, provider, cents, reason, asked_at)
    select '${'4'.repeat(20)}', id, 'sandbox', 1, '', now() - interval '25 hours' from payment_event where state = 'suspended'`)
  await owner.end()
  const endings = [{ name: 'Certificate', endsAt: '2026-12-01T00:00:00.000Z' }]
  await transact(forum.database, (tx) => storeKeyTest(tx, 'sandbox', { problem: null, detail: null, endings }))
  expect(await of()).toMatchObject({ lateRefunds: 1, endings })
  // An hour without an answer does not clear the known expiry dates.
  await transact(forum.database, (tx) => storeKeyTest(tx, 'sandbox', { problem: 'noAnswer', detail: 'It gives no answer', endings: [] }))
  expect(await of()).toMatchObject({ keyProblem: 'noAnswer', endings })
})

test('a provider that is off is not reported, unless an event of it is left', async () => {
  expect(await of('stripe')).toBeUndefined()
  await sql`insert into payment_event (provider, event_id, headers, body, kind, facts) values ('stripe', 'e1', '{}', '', 'other', '{"number": null}')`.execute(
    forum.database.app,
  )
  expect(await of('stripe')).toMatchObject({ keyProblem: 'notSet', inboxSeconds: expect.any(Number) })
})
