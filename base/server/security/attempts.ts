import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { networkOf } from '#base/server/http/rate-limit.ts'

/** How many attempts are allowed within so many seconds. The key names what is attempted: `login account tom`. */
export type AttemptLimit = { key: string; most: number; seconds: number }

/** The key of an address for one kind of attempts. An IPv6 /64 has one key. */
export function networkKey(kind: string, ip: string): string {
  return `${kind} network ${networkOf(ip)}`
}

/** Seconds until one more attempt is within all of these limits; 0 if it is now. */
export async function retryAfter(db: Db, limits: readonly AttemptLimit[]): Promise<number> {
  const whole = limits.map(({ key, most, seconds }) => ({ key: truncated(key), most, seconds }))
  const never = whole.filter(({ most }) => most === 0).map(({ seconds }) => seconds)
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(greatest(1, ceil(extract(epoch from newest.at + its.seconds * interval '1 second' - now())))), 0)::int as seconds
    from unnest(${whole.map(({ key }) => key)}::text[], ${whole.map(({ most }) => most)}::int[], ${whole.map((one) => one.seconds)}::int[])
      as its (key, most, seconds),
    lateral (
      select at from attempt where attempt.key = its.key and at > now() - its.seconds * interval '1 second'
      order by at desc offset greatest(its.most, 1) - 1 limit 1) as newest`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0, ...never)
}

/** Whether any of these keys has so many attempts within so many seconds. */
export async function limitReached(db: Db, keys: readonly string[], { most, seconds }: Omit<AttemptLimit, 'key'>): Promise<boolean> {
  const limits = keys.map((key) => ({ key, most, seconds }))
  return (await retryAfter(db, limits)) > 0
}

/** The number of attempts under this key since then. */
export async function current(db: Db, key: string, since: Date): Promise<number> {
  const { count: found } = await db
    .selectFrom('attempt')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('key', '=', truncated(key))
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(found)
}

/** Counts an attempt under each of these keys. */
export async function increment(tx: Db, keys: readonly string[]): Promise<void> {
  await tx
    .insertInto('attempt')
    .values(keys.map((key) => ({ key: truncated(key) })))
    .execute()
}

/**
 * Checks and counts in one: counts an attempt and returns 0 if it is within all limits, else returns the seconds to wait. Concurrent
 * attempts with the same keys wait for one another. Must run in a transaction that commits, or the count is undone.
 */
export async function take(tx: Db, limits: readonly AttemptLimit[]): Promise<number> {
  const keys = [...new Set(limits.map(({ key }) => truncated(key)))].sort()
  // Locked one after the other, always in the same order.
  for (const key of keys) await sql`select pg_advisory_xact_lock(hashtextextended(${`attempt ${key}`}, 0))`.execute(tx)
  const wait = await retryAfter(tx, limits)
  if (wait === 0) await increment(tx, keys)
  return wait
}

/** Deletes the last attempt under each of these keys, which should not count after all; earlier ones stay. */
export async function undoLast(tx: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from attempt where id in (
    select (select id from attempt where attempt.key = its.key order by id desc limit 1) from unnest(${keys.map(truncated)}::text[]) as its (key))`.execute(
    tx,
  )
}

/** Deletes all attempts under this key. */
export async function reset(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom('attempt').where('key', '=', truncated(key)).execute()
}

function truncated(key: string): string {
  return key.slice(0, 200)
}
