import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Flow, Pattern, Shared } from '#collusion/contract.ts'
import { likesOf } from '#collusion/server/count-likes.ts'
import { flowsAmong, sharedAmong } from '#collusion/server/flows.ts'
import { areLinked, thresholds, patternsOf } from '#collusion/server/patterns.ts'

type Hint = { members: string[]; patterns: Pattern[]; flows: Flow[]; shared: Shared[] }
type Dismissed = { members: string[]; flows: Flow[]; shared: Shared[]; countedUntil: string; dismissedAt: Date }

/** Stores the candidates that make a hint. One that staff dismissed comes back only for something new. */
export async function storeHints(tx: Db, candidates: readonly string[][]): Promise<void> {
  const flowsIn = byPair(await flowsAmong(tx, candidates), ({ from, to }) => [from, to])
  // Facts in common are costly, so they are read only for likely candidates.
  const likely = candidates.filter((members) => patternsOf(members, flowsIn(members), true).length > 0)
  const sharedIn = byPair(await sharedAmong(tx, likely), (shared) => shared.members)
  const found = likely.flatMap((members): Hint[] => {
    const [flows, shared] = [flowsIn(members), sharedIn(members)]
    const patterns = patternsOf(members, flows, areLinked(shared))
    const telling = flows.filter((flow) => patterns.some(({ measure }) => measure === flow.measure))
    return patterns.length === 0 ? [] : [{ members, patterns, flows: telling, shared }]
  })
  const hints = found.filter(({ members, patterns }) => !found.some((other) => contains(other, members, patterns)))
  if (hints.length > 0) await write(tx, hints, await reopened(tx, hints))
}

function byPair<One>(all: readonly One[], pairOf: (one: One) => readonly string[]): (members: readonly string[]) => One[] {
  const found = Map.groupBy(all, (one) => pairOf(one).join(' '))
  return (members) => members.flatMap((one) => members.flatMap((other) => found.get(`${one} ${other}`) ?? []))
}

/** A larger ring shows the same as a smaller one within it. */
function contains(larger: Hint, members: readonly string[], patterns: readonly Pattern[]): boolean {
  return (
    larger.members.length > members.length &&
    members.every((id) => larger.members.includes(id)) &&
    patterns.every(({ measure }) => larger.patterns.some((other) => other.measure === measure))
  )
}

/** The dismissed hints that have something new to show, each by its members. */
async function reopened(tx: Db, hints: readonly Hint[]): Promise<string[]> {
  const { rows } = await sql<Dismissed>`
    select hint.members::text[] as members, flows, shared, counted_until as "countedUntil", dismissed_at as "dismissedAt"
    from json_to_recordset(${JSON.stringify(hints)}::json) as its (members bigint[]) join collusion_hint as hint using (members)
    where dismissed_at is not null and counted_until is not null and returned_at is null for update of hint`.execute(tx)
  const back: string[] = []
  for (const before of rows) {
    const hint = hints.find(({ members }) => String(members) === String(before.members))
    if (hint && (await isNew(tx, hint, before))) back.push(String(before.members))
  }
  return back
}

/** New facts are another flow, another fact in common, or as many more payments or likes as make a hint. */
async function isNew(tx: Db, { members, flows, shared }: Hint, before: Dismissed): Promise<boolean> {
  const had = new Set(factsOf(before))
  if (factsOf({ flows, shared }).some((fact) => !had.has(fact))) return true
  const payments = new Set(flows.flatMap(({ transactionIds }) => transactionIds).filter((id) => BigInt(id) > BigInt(before.countedUntil)))
  if (payments.size >= thresholds.payments) return true
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${likesOf(members, sql`${before.dismissedAt}::timestamptz`)}) as likes
    where author_id = ${anyOf(members)}`.execute(tx)
  return (rows[0]?.count ?? 0) >= thresholds.likes
}

function factsOf({ flows, shared }: Pick<Hint, 'flows' | 'shared'>): string[] {
  return [
    ...flows.map(({ from, to, measure }) => `${measure} ${from} ${to}`),
    ...shared.map(({ kind, members }) => `${kind} ${members.join(' ')}`),
  ]
}

async function write(tx: Db, hints: readonly Hint[], back: readonly string[]): Promise<void> {
  const rows = hints.map((hint) => ({ ...hint, is_back: back.includes(String(hint.members)) }))
  await sql`
    insert into collusion_hint as hint (members, patterns, flows, shared, found_at, updated_at)
    select its.members, its.patterns, its.flows, its.shared, moment, moment
    from json_to_recordset(${JSON.stringify(rows)}::json) as its (members bigint[], patterns jsonb, flows jsonb, shared jsonb),
      date_trunc('milliseconds', clock_timestamp()) as moment
    on conflict (members) do update set patterns = excluded.patterns, flows = excluded.flows, shared = excluded.shared,
      updated_at = excluded.updated_at, returned_at = case when hint.dismissed_at is not null then coalesce(hint.returned_at, excluded.updated_at) end
    where (hint.dismissed_at is null or hint.returned_at is not null or array_to_string(hint.members, ',') = ${anyOf(back)})
      and (hint.patterns, hint.flows, hint.shared) is distinct from (excluded.patterns, excluded.flows, excluded.shared)`.execute(tx)
}
