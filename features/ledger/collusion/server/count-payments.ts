import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { since } from '#collusion/server/period.ts'
import type { Piece } from '#collusion/server/piece.ts'

const most = 500
const idsKept = 20

/** Kinds of transactions that are no payment from one member to another. */
const otherKinds = ['opening', 'reward', 'rewardTaken', 'adjustment', 'merging', 'closing']

/** Adds the next transactions of the ledger to what members paid each other. */
export async function countPayments(tx: Db, settledSeconds: number): Promise<Piece> {
  const { rows } = await sql<{ from: string; until: string | null; count: number }>`
    with progress as (select transaction_id from collusion_progress for update), fresh as (
      select id, at from ledger.transaction where id > (select transaction_id from progress) order by id limit ${most})
    select (select transaction_id from progress) as from, count(*)::int as count,
      coalesce(min(id) filter (where at >= clock_timestamp() - ${settledSeconds} * interval '1 second') - 1, max(id)) as until
    from fresh`.execute(tx)
  const { from, until, count } = rows[0] ?? { from: '0', until: null, count: 0 }
  if (until === null || BigInt(until) <= BigInt(from)) return { givers: [], isMore: false }
  const givers = await addBetween(tx, from, until)
  await sql`update collusion_progress set transaction_id = ${until}`.execute(tx)
  return { givers, isMore: count === most }
}

// The owner of an escrow account is the member, so held or returned money is no flow. A reversal reduces the payment that it reverses.
async function addBetween(tx: Db, from: string, until: string): Promise<string[]> {
  const { rows } = await sql<{ giver: string }>`
    with side as (
      select its.id, its.at, its.kind = 'reversal' as is_back, entry.currency, coalesce(hold.owner_id, account.owner_id) as member_id,
        sum(entry.amount) as amount
      from ledger.transaction as its join ledger.entry on transaction_id = its.id join ledger.account on account.id = account_id
        left join ledger.hold on account.name = 'escrow' and hold.id = account.owner_id
      where its.id > ${from} and its.id <= ${until} and its.at > ${since} and its.kind <> all(${otherKinds})
        and account.owner_id is not null
      group by 1, 2, 3, 4, 5
    ), payment as (
      select giver.member_id as from_id, taker.member_id as to_id, taker.currency, taker.id, taker.at, taker.amount,
        case when taker.is_back then -1 else 1 end as times
      from side as giver join side as taker using (id, currency)
      where giver.member_id <> taker.member_id and sign(giver.amount) = case when giver.is_back then 1 else -1 end
        and sign(taker.amount) = -sign(giver.amount)
    )
    insert into collusion_flow (from_id, to_id, measure, day, amount, times, transaction_ids, first_at, last_at)
    select from_id, to_id, currency, (at at time zone 'UTC')::date, sum(amount), sum(times), (array_agg(id order by id desc))[1:${idsKept}],
      min(at), max(at)
    from payment group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (from_id, measure, to_id, day) do update set amount = collusion_flow.amount + excluded.amount,
      times = collusion_flow.times + excluded.times, first_at = least(collusion_flow.first_at, excluded.first_at),
      last_at = greatest(collusion_flow.last_at, excluded.last_at),
      transaction_ids = (excluded.transaction_ids || collusion_flow.transaction_ids)[1:${idsKept}]
    returning from_id as giver`.execute(tx)
  return [...new Set(rows.map(({ giver }) => giver))]
}
