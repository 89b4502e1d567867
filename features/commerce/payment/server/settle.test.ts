import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { notification, paidIn, paidTopUp, takes, tell, tops, withSandbox } from '#payment/testing/factories.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import { processInbox } from '#payment/server/settle.ts'
import { balance } from '#wallet/log-contract.ts'

const forum = await aForum()
await withSandbox(forum)

test('an event that fails keeps no other from its credit, and waits on', async () => {
  const { database } = forum
  const [mei, tom] = [await forum.member(), await forum.member()]
  const known = await paidIn(database, await paidTopUp(forum, mei, '12.50'))
  const { number } = (await tops(mei, '12.50')).body
  // A provider uses one number for two payments: the ledger refuses the second.
  const payment = await paidIn(database, number, { providerNumber: known.providerNumber })
  await transact(database, (tx) =>
    storeEvent(tx, 'sandbox', { eventId: 'same', kind: 'paid', payment }, { headers: {}, body: Buffer.from('{}') }),
  )
  const later = (await tops(tom, '20.00')).body.number
  await takes(database, later)
  await tell(forum.app, await notification(database, await paidIn(database, later)))

  await expect(processInbox(database)).rejects.toThrow('Events that could not be worked off')

  expect((await tom.call(balance, {})).account.balance).toBe('20.00')
  expect((await mei.call(balance, {})).account.balance).toBe('12.50')
  const waiting = await database.app.selectFrom('payment_event').select('event_id').where('state', '=', 'new').execute()
  expect(waiting).toEqual([{ event_id: 'same' }])
})
