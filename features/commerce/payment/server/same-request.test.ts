import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { topUp } from '#payment/contract.ts'
import { atMachine, withSandbox } from '#payment/testing/factories.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum)
})

/** Ends the statement that stores the next step of a payment, once, as a timeout does. */
async function failOnce(): Promise<void> {
  const owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  onTestFinished(async () => {
    await owner.query('drop trigger late on payment_order; drop function late; drop sequence failures')
    await owner.end()
  })
  await owner.query(`
    create sequence failures;
    grant usage on sequence failures to teahouse_app;
    create function late() returns trigger language plpgsql as $$ begin
      if nextval('failures') = 1 then raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end if;
      return new;
    end $$;
    create trigger late before update of started on payment_order for each row execute function late()`)
}

test('a payment begun by a failed request is continued by the same request, and no second one is begun', async () => {
  await failOnce()
  const mei = atMachine(await forum.member())
  const key = newIdempotencyKey()
  const send = () => mei.tryCall(topUp, { amount: '12.50', provider: 'sandbox', method: 'page' }, key)
  const { status, response } = await send()
  expect([status, response.headers['retry-after']]).toEqual([503, '5'])
  const { status: next, body } = await send()
  expect([next, body.state, body.start?.go]).toEqual([200, 'open', 'page'])
  const orders = await forum.database.app.selectFrom('payment_order').select('number').where('member_id', '=', mei.id).execute()
  expect(orders).toEqual([{ number: body.number }])
  expect(await forum.database.app.selectFrom('payment_sandbox').select('number').execute()).toEqual(orders)
  // Another request is another payment.
  expect((await mei.call(topUp, { amount: '12.50', provider: 'sandbox', method: 'page' }, newIdempotencyKey())).number).not.toBe(
    body.number,
  )
})
