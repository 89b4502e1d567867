import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Flow, Shared, SharedKind } from '#collusion/contract.ts'
import { firstDay } from '#collusion/server/period.ts'
import { sharedBetween } from '#collusion/server/shared.ts'
import { serializeAmount } from '#wallet/contract.ts'

/** A flow, with the number of the giver's payments to others, and of their receivers. */
export type WeightedFlow = Flow & { givenTimes: number; takers: number }

const idsShown = 10

type Row = Omit<WeightedFlow, 'amount' | 'firstAt' | 'lastAt'> & { amount: string; firstAt: Date; lastAt: Date }

/** The flows between members of the same set. */
export async function flowsAmong(tx: Db, sets: readonly (readonly string[])[]): Promise<WeightedFlow[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<Row>`
    with pair as (${pairsIn(sets)}), flow as (
      select from_id, to_id, measure, sum(amount) as amount, sum(times)::int as times, min(first_at) as "firstAt", max(last_at) as "lastAt"
      from pair join collusion_flow using (from_id, to_id) where day > ${firstDay} group by 1, 2, 3 having sum(times) > 0 and sum(amount) > 0
    ), given as (
      select from_id, measure, sum(amount) as amount, sum(times)::int as times, count(distinct to_id)::int as takers from collusion_flow
      where from_id in (select from_id from pair) and day > ${firstDay} group by 1, 2
    ), received as (
      select to_id, measure, sum(amount) as amount from collusion_flow where to_id in (select to_id from pair) and day > ${firstDay} group by 1, 2
    )
    select from_id as "from", to_id as "to", measure, flow.times, "firstAt", "lastAt", given.times as "givenTimes", given.takers,
      case measure when 'likes' then (
        select coalesce(sum(points), 0) from reward where liker_id = from_id and member_id = to_id and is_given) else flow.amount end as amount,
      round(flow.amount * 100 / greatest(given.amount, flow.amount))::int as "ofGiven",
      round(flow.amount * 100 / greatest(received.amount, flow.amount))::int as "ofReceived",
      array(
        select id from collusion_flow as its, unnest(transaction_ids) as id
        where its.from_id = flow.from_id and its.to_id = flow.to_id and its.measure = flow.measure and day > ${firstDay}
        order by id desc limit ${idsShown})::text[] as "transactionIds"
    from flow join given using (from_id, measure) join received using (to_id, measure) order by measure, from_id, to_id`.execute(tx)
  return rows.map(({ amount, firstAt, lastAt, ...row }) => ({
    ...row,
    amount: serializeAmount(row.measure === 'cny' ? 'cny' : 'points', BigInt(amount)),
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }))
}

/** The facts in common of members of the same set. */
export async function sharedAmong(tx: Db, sets: readonly (readonly string[])[]): Promise<Shared[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<{ members: string[]; kinds: SharedKind[] }>`
    select array[from_id, to_id]::text[] as members, ${sharedBetween(sql`from_id`, sql`to_id`)} as kinds
    from (${pairsIn(sets)}) as pair where from_id < to_id`.execute(tx)
  return rows.flatMap(({ members, kinds }) => kinds.map((kind) => ({ kind, members })))
}

function pairsIn(sets: readonly (readonly string[])[]) {
  return sql`
    select distinct one::bigint as from_id, other::bigint as to_id from json_array_elements(${JSON.stringify(sets)}::json) as members,
      json_array_elements_text(members) as one, json_array_elements_text(members) as other where one <> other`
}
