import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Measure } from '#collusion/contract.ts'
import { thresholds } from '#collusion/server/patterns.ts'
import { firstDay } from '#collusion/server/period.ts'

const maxCycleLength = 4
const maxReceivers = 5

/**
 * Sets of members to check: pairs with flows in both directions or with most in one, and cycles. Each flow is a large part of its giver's
 * total. The search follows only flows of several payments, and at most five at each step, so that it is bounded.
 */
export async function candidatesAmong(tx: Db, givers: readonly string[], measures: readonly Measure[]): Promise<string[][]> {
  if (givers.length === 0) return []
  const { rows } = await sql<{ members: string[] }>`
    with recursive walk (measure, path, is_often, is_mostly) as (
      select measure, array[path[1], next.to_id], next.is_often, next.is_mostly from (
        select measure, array[giver] as path from unnest(${givers}::bigint[]) as giver, unnest(${measures}::text[]) as measure) as walk,
        lateral ${mainTakers} as next
      union all
      select measure, path || next.to_id, true, false from walk, lateral ${mainTakers} as next
      where walk.is_often and next.is_often and cardinality(path) < ${maxCycleLength} and next.to_id <> all(path)
    )
    select distinct array(select unnest(path) order by 1)::text[] as members from walk
    where cardinality(path) = 2 and is_often and is_mostly or exists (
      select from collusion_flow as back where from_id = path[cardinality(path)] and back.measure = walk.measure and to_id = path[1]
        and day > ${firstDay})`.execute(tx)
  return rows.map(({ members }) => members)
}

/** The members who got a large part of everything that the last member of a path gave. */
const mainTakers = sql`(
    select to_id, times >= case walk.measure when 'likes' then ${thresholds.likes}::int else ${thresholds.payments}::int end as is_often,
      amount * 100 >= given * ${thresholds.mostly}::int as is_mostly
    from (
      select to_id, sum(amount) as amount, sum(times) as times, sum(sum(amount)) over () as given from collusion_flow as its
      where from_id = path[cardinality(path)] and its.measure = walk.measure and day > ${firstDay} group by to_id) as taker
    where amount > 0 and times >= case walk.measure when 'likes' then ${thresholds.likes}::int else 1 end and amount * 100 >= given * ${thresholds.ofGiven}::int
    order by amount desc limit ${maxReceivers})`
