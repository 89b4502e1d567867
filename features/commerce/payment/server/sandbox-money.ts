import { sql } from 'kysely'
import type { Answer, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { perProgram } from '#base/server/program.ts'
import { NothingToTakeBack } from '#payment/contract.ts'
import type { sandboxMoney, takeBackSandboxMoney } from '#payment/sandbox-contract.ts'
import { topUpRefund } from '#payment/server/by-hand.ts'
import { yuan } from '#payment/server/yuan.ts'
import * as wallet from '#wallet/server/wallet.ts'

// A site that others can reach credits nothing more by the sandbox. The answer "none at all", which nearly every site gives, is remembered
// for a minute, so that members who spend do not wait for a query; another process may still run the trial.
const rememberedMs = 60_000
const none = perProgram(() => ({ until: 0 }))

/** The cents that the sandbox credited to a member, and accounts merged into theirs, and that were not taken back. */
export async function unpaidCents(db: Db, memberId: string): Promise<bigint> {
  const remembered = none(db)
  if (performance.now() < remembered.until) return 0n
  const { rows } = await sql<{ cents: string; isAny: boolean }>`
    select coalesce(sum(greatest(refundable_cents(id), 0)) filter (where ledger.is_same_member(member_id, ${memberId})), 0) as cents,
      count(*) > 0 as "isAny"
    from payment_order where provider = 'sandbox' and state = 'paid'`.execute(db)
  const [found] = rows
  if (found && !found.isAny) remembered.until = performance.now() + rememberedMs
  return BigInt(found?.cents ?? 0)
}

const keys = { spent: { by: sql`its.spent`, as: 'bigint' } } as const

type Row = { id: string; name: string; credited: string; waiting: string; spent: string; balance: string }

/** Members with money of the sandbox, those who spent the most of it first. */
export async function list(db: Db, by: Staff, input: ParsedInput<typeof sandboxMoney>): Promise<Answer<typeof sandboxMoney>> {
  const source = sql<Row>`(
    select payer.id, coalesce(payer.nickname, payer.account) as name, credited, waiting, coalesce(balance, 0) as balance,
      greatest(credited - greatest(coalesce(balance, 0), 0), 0) as spent
    from (
      select ledger.current_member(member_id) as payer_id, sum(cents) as credited, sum(cents) filter (where is_waiting) as waiting
      from (${unreturned}) as paid group by 1) as each
    join member as payer on payer.id = payer_id and deactivated_at is null
    left join ledger.account on name = 'member' and owner_id = payer.id and currency = 'cny' and label = ''
    where ${isReachedFromNetwork()})`
  const query = db.selectFrom(source.as('its')).select(['its.id', 'its.name', 'credited', 'waiting', 'spent', 'balance'])
  const page = await paged(db, query, { ...input, keys, id: sql`its.id` })
  const rows = page.rows.map(({ id, name, credited, waiting, spent, balance }) => ({
    id,
    member: { id, name },
    credited: yuan(credited),
    waiting: yuan(waiting ?? '0'),
    spent: yuan(spent),
    balance: yuan(balance),
    isOwn: id === by.id,
  }))
  return { ...page, rows }
}

/** Payments of the sandbox of which something was not taken back. */
const unreturned = sql`
  select id, number, member_id, refundable_cents(id) as cents,
    exists (select from money_request where state = 'waiting' and reverses = paid.transaction_id) as is_waiting
  from payment_order as paid where provider = 'sandbox' and state = 'paid' and refundable_cents(id) > 0`

// A member of a trial has few payments; the next call takes the rest.
const maxAtOnce = 100

/**
 * Refunds each payment of the sandbox to a member in full. Each is a refund like any other: limits, approval, audit entry and notice
 * included.
 */
export async function takeBack(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { memberId, reason }: ParsedInput<typeof takeBackSandboxMoney>,
): Promise<Answer<typeof takeBackSandboxMoney>> {
  if (!isReachedFromNetwork()) throw NothingToTakeBack()
  // A statement that waits for the locks does not see what another member of staff takes back meanwhile; the next one does.
  await sql`select from payment_order where provider = 'sandbox' and state = 'paid' and ledger.is_same_member(member_id, ${memberId})
    order by id for no key update`.execute(tx)
  const { rows } = await sql<{ number: string; cents: string }>`
    select number, cents from (${unreturned}) as paid where ledger.is_same_member(member_id, ${memberId}) and not is_waiting
    order by id limit ${maxAtOnce}`.execute(tx)
  if (rows.length === 0) throw NothingToTakeBack()
  const sums = { taken: 0n, waiting: 0n }
  for (const { number, cents } of rows) {
    const input = { number, cents, mayOwe: true }
    const { isWaiting } = await wallet.moveByHand(tx, by, client, topUpRefund, { input, reason })
    sums[isWaiting ? 'waiting' : 'taken'] += BigInt(cents)
  }
  return { taken: yuan(sums.taken), waiting: yuan(sums.waiting) }
}
