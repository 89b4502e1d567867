import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { keyedHash } from '#base/server/security/sealing.ts'

/** What a seal of the ledger covers: the seal before it, and the digests of the transactions since. */
export const sealedContent = (id: RawBuilder<unknown>) => sql<string>`(
  select concat_ws(' ', ${id}, encode(previous.hash, 'hex'), count(sealed), encode(sha256(string_agg(digest, ''::bytea order by sealed.id)), 'hex'))
  from (select 1) as one left join lateral (select id, hash from ledger.seal where id < ${id} order by id desc limit 1) as previous on true
    left join ledger.transaction as sealed on sealed.id > coalesce(previous.id, 0) and sealed.id <= ${id}
  group by previous.hash)`

/**
 * Seals the transactions up to this one that no seal covers yet. The caller has checked them, knows that no earlier one is still
 * uncommitted, and holds the lock of the sums.
 */
export async function sealTransactions(tx: Db, upto: string): Promise<void> {
  const { rows } = await sql<{ content: string }>`
    select ${sealedContent(sql`${upto}::bigint`)} as content
    where not exists (select from ledger.seal where id >= ${upto}::bigint)`.execute(tx)
  const [row] = rows
  if (row) await sql`select ledger.add_seal(${upto}, ${keyedHash('ledger', row.content)})`.execute(tx)
}

/** Where the forum has another key: everything is sealed anew with it, as it is now. */
export async function forgetSeals(tx: Db): Promise<void> {
  await sql`select ledger.forget_seals()`.execute(tx)
}
