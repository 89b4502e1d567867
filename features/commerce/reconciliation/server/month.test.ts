import fc from 'fast-check'
import { auditLog } from '#audit/contract.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { dayAt, addDays } from '#base/server/calendar.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { runs, seed } from '#base/testing/extent.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { settleDispute } from '#payment/server/dispute.ts'
import { notification, paidIn, paidTopUp, tell, tops, withSandbox } from '#payment/testing/factories.ts'
import { Days } from '#reconciliation/testing/factories.ts'
import { processInbox } from '#payment/server/settle.ts'
import { writeStatement } from '#reconciliation/server/statement.ts'
import * as contract from '#reconciliation/contract.ts'
import { creditEvent } from '#payment/event-contract.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let days: Days

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  days = await new Days(forum, chief).begin()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100_000 })
})

const yuan = (cents: number) => serializeAmount('cny', BigInt(cents))
const reason = 'Asked for it'

type Sums = { payments: number; paid: number; refunded: number; disputed: number; fees: number }
type Moved = Sums & { day: string }
const none = { payments: 0, paid: 0, refunded: 0, disputed: 0, fees: 0 }

function sumOf(moved: readonly Moved[]) {
  const all = (key: keyof Sums) => moved.reduce((sum, row) => sum + row[key], 0)
  const [paid, refunded, disputed, fees] = [all('paid'), all('refunded'), all('disputed'), all('fees')]
  return {
    payments: all('payments'),
    paid: yuan(paid),
    refunded: yuan(refunded),
    disputed: yuan(disputed),
    fees: yuan(fees),
    net: yuan(paid - refunded - disputed - fees),
  }
}

/** The month on the sandbox's clearing account, without fees, which count on another day than they are booked. */
async function inBooks(month: string, zone: string): Promise<string> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(amount), 0)::text as cents from ledger.entry join ledger.account on account.id = account_id
      join ledger.transaction as its on its.id = transaction_id
    where name = 'clearing' and label = 'sandbox' and its.kind <> 'paymentFee' and to_char(at at time zone ${zone}::text, 'YYYY-MM') = ${month}`.execute(
    forum.database.app,
  )
  return rows[0]?.cents ?? ''
}

type Action = { does: 'pay' | 'credit' | 'refund' | 'fail' | 'dispute' | 'win' | 'fees'; cents: number; hours: number }
const actions = fc.array(
  fc.record<Action>({
    does: fc.constantFrom('pay', 'pay', 'credit', 'refund', 'fail', 'dispute', 'win', 'fees'),
    cents: fc.integer({ min: 1, max: 900 }),
    hours: fc.integer({ min: 0, max: 400 }),
  }),
  { minLength: 4, maxLength: 10 },
)
const zones = fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Pacific/Apia', 'UTC')

/** The time of the next action: ids of the ledger rise with the times. */
let at = Date.parse('2000-01-01T00:00:00Z')
let movements: { at: number; moves: Partial<Sums> }[] = []
let feeDays: { day: string; cents: number }[] = []
let feeDay = '2000-01-01'
let paid: { number: string; id: string; left: number }[] = []
let failing: { number: string; cents: number }[] = []
let open: { order: string; number: string; cents: number }[] = []
let disputes = 0

/** Sets the time of the last transaction, and updates its digest. */
async function moved(moves: Partial<Sums> | null, hours: number): Promise<void> {
  at += hours * 3_600_000 + 1
  if (moves) movements.push({ at, moves })
  const last = '(select max(id) from ledger.transaction)'
  await days.past(`
    update ledger.transaction set at = '${new Date(at).toISOString()}' where id = ${last};
    update ledger.transaction as its set digest = ledger.digest_of(its, array(select entry from ledger.entry where transaction_id = its.id))
      where id = ${last}`)
}

const orderOf = async (number: string) =>
  forum.database.app
    .selectFrom('payment_order')
    .select(['id', 'member_id', 'provider'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()

async function dispute(number: string, providerNumber: string, cents: number, state: 'open' | 'won'): Promise<void> {
  const order = await orderOf(number)
  await transact(forum.database, (tx) => settleDispute(tx, order, { number, providerNumber, cents: String(cents), currency: 'CNY', state }))
}

/** The sandbox refuses no refund, so a failure is written directly. */
async function fail(tx: Db, { number, cents }: { number: string; cents: number }): Promise<void> {
  const { id } = await wallet.credit(tx, {
    to: mei.id,
    account: 'clearing',
    label: 'sandbox',
    currency: 'cny',
    amount: toMinor(cents),
    kind: 'topUpRefundFailed',
    source: `refund:${number}`,
    by: { kind: 'forum' },
  })
  const ended = { state: 'failed', problem: 'Refused', ended_at: new Date(), try_at: null, undone_by: id } as const
  await tx.updateTable('payment_refund').set(ended).where('number', '=', number).execute()
}

const does: Record<Action['does'], (action: Action) => Promise<void>> = {
  async pay({ cents, hours }) {
    const number = await paidTopUp(forum, mei, yuan(cents + 100))
    paid.push({ number, id: (await orderOf(number)).id, left: cents + 100 })
    await moved({ payments: 1, paid: cents + 100 }, hours)
  },
  async credit({ cents, hours }) {
    const { number } = (await tops(mei, yuan(cents + 100))).body
    await tell(forum.app, await notification(forum.database, await paidIn(forum.database, number, { seller: 'somebody' })))
    await processInbox(forum.database)
    const { id } = await forum.database.app
      .selectFrom('payment_event')
      .select('id')
      .where('state', '=', 'suspended')
      .executeTakeFirstOrThrow()
    await chief.call(creditEvent, { eventId: id, memberId: mei.id, reason }, newIdempotencyKey())
    await moved({ payments: 1, paid: cents + 100 }, hours)
  },
  async refund({ cents, hours }) {
    const its = paid.find(({ left }) => left > cents)
    if (!its) return
    const { refundNumber } = await chief.call(
      refundPayment,
      { number: its.number, amount: yuan(cents), mayOwe: true, reason },
      newIdempotencyKey(),
    )
    its.left -= cents
    failing.push({ number: refundNumber ?? '', cents })
    await moved({ refunded: cents }, hours)
  },
  async fail({ hours }) {
    const its = failing.pop()
    if (!its) return
    await transact(forum.database, (tx) => fail(tx, its))
    await moved({ refunded: 0 - its.cents }, hours)
  },
  async dispute({ cents, hours }) {
    const its = paid.find(({ left }) => left > cents)
    if (!its) return
    const number = `D${++disputes}`
    await dispute(its.number, number, cents, 'open')
    its.left -= cents
    open.push({ order: its.number, number, cents })
    await moved({ disputed: cents }, hours)
  },
  async win({ hours }) {
    const its = open.pop()
    if (!its) return
    await dispute(its.order, its.number, its.cents, 'won')
    await moved({ disputed: 0 - its.cents }, hours)
  },
  async fees({ cents, hours }) {
    feeDay = addDays(feeDay, 1 + Math.floor(hours / 24))
    const line = { kind: 'fee', number: null, providerNumber: 'F', cents: 0n, feeCents: BigInt(cents - 450) } as const
    await transact(forum.database, (tx) =>
      writeStatement(tx, { name: 'sandbox', zone: 'UTC' }, feeDay, [{ ...line, at: new Date(`${feeDay}T04:00:00Z`) }]),
    )
    if (cents !== 450) feeDays.push({ day: feeDay, cents: cents - 450 })
    if (cents !== 450) await moved(null, hours)
  },
}

test('a month has all its payments and refunds, in the site’s time zone, equal to the books', async () => {
  let last = '2000-01'
  await fc.assert(
    fc.asyncProperty(actions, zones, async (some, zone) => {
      mei = await forum.member()
      paid = []
      failing = []
      open = []
      await withSandbox(forum, { timeZone: zone })
      for (const action of some) await does[action.does](action)
      const all: Moved[] = [
        ...movements.map(({ at: moment, moves }) => ({ ...none, ...moves, day: dayAt(moment, zone) })),
        ...feeDays.map(({ day, cents }) => ({ ...none, day, fees: cents })),
      ]
      const months = new Set(all.map(({ day }) => day.slice(0, 7)).filter((month) => month >= last))
      for (const month of months) {
        const its = all.filter(({ day }) => day.startsWith(month))
        const seen = await chief.call(contract.paymentMonth, { month })
        expect(seen).toMatchObject({ timeZone: zone, total: sumOf(its) })
        expect(seen.providers).toEqual([{ provider: 'sandbox', ...sumOf(its) }])
        const moving = [...new Set(its.map(({ day }) => day))].toSorted()
        expect(seen.days).toEqual(moving.map((day) => ({ day, provider: 'sandbox', ...sumOf(its.filter((row) => row.day === day)) })))
        const fees = its.reduce((sum, row) => sum + row.fees, 0)
        const books = Number(await inBooks(month, zone)) - fees
        expect(seen.total.net).toBe(yuan(books))
      }
      last = dayAt(at - 40 * 86_400_000, zone).slice(0, 7)
    }),
    { numRuns: runs(60), seed },
  )
})

test('figures are those of the last days, by provider, with numbers of payers and of begun payments', async () => {
  await withSandbox(forum, { timeZone: 'Pacific/Apia' })
  const today = dayAt(Date.now(), 'Pacific/Apia')
  const before = await chief.call(contract.paymentFigures, { days: 7 })
  const [tom, ann] = [await forum.member(), await forum.member()]
  const first = await paidTopUp(forum, tom, '20.00')
  await paidTopUp(forum, tom, '10.00')
  await paidTopUp(forum, ann, '5.00')
  await tops(ann, '7.00')
  await chief.call(refundPayment, { number: first, amount: '12.50', reason }, newIdempotencyKey())
  const { days: daily, ...seen } = await chief.call(contract.paymentFigures, { days: 7 })
  expect(seen.begun - before.begun).toBe(4)
  expect(seen.payers - before.payers).toBe(2)
  expect(seen).toMatchObject({ timeZone: 'Pacific/Apia', total: { payments: 3, paid: '35.00', refunded: '12.50', net: '22.50' } })
  expect(seen.providers).toEqual([{ provider: 'sandbox', ...seen.total, begun: seen.begun }])
  expect(daily.map(({ day }) => day)).toEqual(Array.from({ length: 7 }, (_, number) => addDays(today, number - 6)))
  expect(daily.at(-1)).toEqual({ day: today, payments: 3, yuan: 35, refunded: 12.5 })
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: ann.account, reason: 'One person' })
  expect((await chief.call(contract.paymentFigures, { days: 7 })).payers - before.payers).toBe(1)
})

test('months and figures are for staff with the right to view payments', async () => {
  for (const who of [await aStaffer(forum, ['payment.refund']), await forum.member(), forum.visitor()]) {
    expect((await who.tryCall(contract.paymentMonth, { month: '2024-01' })).status).toBeOneOf([401, 403])
    expect((await who.tryCall(contract.paymentFigures, {})).status).toBeOneOf([401, 403])
    expect((await who.tryCall(contract.noteMonthExport, { rows: 1, asked: '' })).status).toBeOneOf([401, 403])
  }
  for (const month of ['', '2024', '2024-13', '2024-00', '1969-12', '2024-1', '2024-01-01', '３０２４-01'])
    expect((await chief.tryCall(contract.paymentMonth, { month })).status).toBe(400)
  for (const month of ['1970-01', '2999-12']) expect((await chief.call(contract.paymentMonth, { month })).days).toEqual([])
  expect((await chief.tryCall(contract.paymentFigures, { days: 8 })).status).toBe(400)
  await chief.call(contract.noteMonthExport, { rows: 3, asked: 'month=2024-01' })
  const { rows } = await chief.call(auditLog, { action: 'payment.monthExport' })
  expect(rows).toMatchObject([{ after: { rows: 3, asked: 'month=2024-01' } }])
})
