import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { providerNames, type ProviderName } from '#payment/contract.ts'
import type { paymentFigures, paymentMonth } from '#reconciliation/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { yuan } from '#payment/server/payment.ts'
import { toMinor, toYuan, type EntryKind } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** A month by the ledger; fees count on the day of their statement. */
export async function month(db: Db, { month: its }: ParsedInput<typeof paymentMonth>): Promise<Output<typeof paymentMonth>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  const first = `${its}-01`
  const moves = await movesIn(db, first, `${addDays(first, 31).slice(0, 7)}-01`, timeZone)
  const days = [...Map.groupBy(moves, ({ day, provider }) => `${day} ${provider}`).values()]
  return {
    timeZone,
    total: viewOf(moves),
    providers: byProvider(moves),
    days: days
      .flatMap((rows) => rows.slice(0, 1).map(({ day, provider }) => ({ day, provider, ...viewOf(rows) })))
      .toSorted((one, other) => one.day.localeCompare(other.day) || providerIndex(one) - providerIndex(other)),
  }
}

/** The figures of the last days, including today. */
export async function figures(db: Db, { days }: ParsedInput<typeof paymentFigures>): Promise<Output<typeof paymentFigures>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  const today = dayAt(Date.now(), timeZone)
  const first = addDays(today, 1 - days)
  const since = startOfDay(first, timeZone)
  const [moves, begun, payers] = await Promise.all([
    movesIn(db, first, addDays(today, 1), timeZone),
    begunSince(db, since),
    payersSince(db, since),
  ])
  const byDay = Map.groupBy(moves, ({ day }) => day)
  const sums = new Map(byProvider(moves).map((row) => [row.provider, row]))
  return {
    timeZone,
    begun: [...begun.values()].reduce((all, count) => all + count, 0),
    payers,
    total: viewOf(moves),
    days: Array.from({ length: days }, (_, number) => {
      const day = addDays(first, number)
      const { payments, paid, refunded } = sumOf(byDay.get(day) ?? [])
      return { day, payments, yuan: toYuan(paid), refunded: toYuan(refunded) }
    }),
    providers: providerNames.flatMap((provider) => {
      const count = begun.get(provider) ?? 0
      const its = sums.get(provider)
      return its || count > 0 ? [{ ...(its ?? { provider, ...viewOf([]) }), begun: count }] : []
    }),
  }
}

type Sums = { payments: number; paid: bigint; refunded: bigint; disputed: bigint; fees: bigint }
type DailyMoves = Sums & { day: string; provider: ProviderName }

const zero: Sums = { payments: 0, paid: 0n, refunded: 0n, disputed: 0n, fees: 0n }

/** The sum to which each kind belongs: failed refunds and won disputes are deducted. */
const sumOfKind: Partial<Record<EntryKind, 'paid' | 'refunded' | 'disputed'>> = {
  topUp: 'paid',
  topUpByHand: 'paid',
  topUpRefund: 'refunded',
  topUpRefundFailed: 'refunded',
  chargeback: 'disputed',
  chargebackWon: 'disputed',
}

/** The moves by day and provider. The end is exclusive. */
async function movesIn(db: Db, first: string, end: string, zone: string): Promise<DailyMoves[]> {
  const during = { from: startOfDay(first, zone), until: startOfDay(end, zone), zone }
  const moves = await wallet.siteMoves(db, { account: 'clearing', currency: 'cny', ...during })
  const fees = await feesOf(db, first, end)
  return [
    ...moves.flatMap(({ label, day, kind, count, amount }) => {
      const sum = sumOfKind[kind]
      const provider = providerNames.find((name) => name === label)
      if (!sum || !provider) return []
      // A payment is negative on the provider's clearing account: it is our claim there.
      const cents = sum === 'paid' ? 0n - amount : amount
      return [{ ...zero, day, provider, [sum]: cents, payments: sum === 'paid' ? count : 0 }]
    }),
    ...fees.map(({ day, provider, cents }) => ({ ...zero, day, provider: provider as ProviderName, fees: toMinor(cents) })),
  ]
}

async function feesOf(db: Db, first: string, end: string): Promise<{ day: string; provider: string; cents: string }[]> {
  const { rows } = await sql<{ day: string; provider: string; cents: string }>`
    select day::text, provider, fee_cents as cents from payment_statement
    where day >= ${first}::date and day < ${end}::date and fee_cents <> 0`.execute(db)
  return rows
}

async function begunSince(db: Db, since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ provider: string; count: number }>`
    select provider, count(*)::int as count from payment_order where created_at >= ${since} and method <> 'byHand' group by provider`.execute(
    db,
  )
  return new Map(rows.map(({ provider, count }) => [provider, count]))
}

/** Members with credited payments; merged members count as one. */
async function payersSince(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct ledger.current_member(member_id))::int as count from payment_order
    where provider = any(${[...providerNames]}::text[]) and paid_at >= ${since}`.execute(db)
  return rows[0]?.count ?? 0
}

function byProvider(moves: readonly DailyMoves[]) {
  const rows = Map.groupBy(moves, ({ provider }) => provider)
  return providerNames.flatMap((provider) => (rows.has(provider) ? [{ provider, ...viewOf(rows.get(provider) ?? []) }] : []))
}

function providerIndex({ provider }: { provider: ProviderName }): number {
  return providerNames.indexOf(provider)
}

function sumOf(rows: readonly Sums[]): Sums {
  return rows.reduce(
    (all, row) => ({
      payments: all.payments + row.payments,
      paid: all.paid + row.paid,
      refunded: all.refunded + row.refunded,
      disputed: all.disputed + row.disputed,
      fees: all.fees + row.fees,
    }),
    zero,
  )
}

function viewOf(rows: readonly Sums[]) {
  const { payments, paid, refunded, disputed, fees } = sumOf(rows)
  return {
    payments,
    paid: yuan(paid),
    refunded: yuan(refunded),
    disputed: yuan(disputed),
    fees: yuan(fees),
    net: yuan(paid - refunded - disputed - fees),
  }
}
