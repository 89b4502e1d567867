import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Measure } from '#collusion/contract.ts'
import { least } from '#collusion/server/judge.ts'
import { firstDay } from '#collusion/server/period.ts'

const longest = 4
const mostTakers = 5

/**
 * Sets of members to look at: cycles along flows that are a large part of all that their giver gave, and pairs.
 * Each step follows five flows at most, so that the walk is bounded.
 */
export async function candidatesAmong(tx: Db, givers: readonly string[], measures: readonly Measure[]): Promise<string[][]> {
  if (givers.length === 0) return []
  const { rows } = await sql<{ members: string[] }>`
    with recursive walk (measure, path) as (
      select measure, array[giver] from unnest(${givers}::bigint[]) as giver, unnest(${measures}::text[]) as measure
      union all
      select measure, path || next.to_id from walk, lateral ${mainTakers} as next
      where cardinality(path) < ${longest} and next.to_id <> all(path)
    )
    select distinct array(select unnest(path) order by 1)::text[] as members from walk where cardinality(path) = 2
      or cardinality(path) > 2 and path[1] in (select to_id from ${mainTakers} as next)`.execute(tx)
  return rows.map(({ members }) => members)
}

/** The members who got a large part of all that the last member of a path gave. */
const mainTakers = sql`(
    select to_id from (
      select to_id, sum(amount) as amount, sum(times) as times, sum(sum(amount)) over () as given from collusion_flow as its
      where from_id = path[cardinality(path)] and its.measure = walk.measure and day > ${firstDay} group by to_id) as taker
    where amount > 0 and times >= case walk.measure when 'likes' then ${least.likes}::int else 1 end and amount * 100 >= given * ${least.ofGiven}::int
    order by amount desc limit ${mostTakers})`
