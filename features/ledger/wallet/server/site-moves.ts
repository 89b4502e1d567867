import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { toMinor, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'
import { boundsOf } from '#wallet/server/log.ts'
import type { ForumAccount } from '#wallet/server/post.ts'

export type SiteMove = { label: string; day: string; kind: EntryKind; count: number; amount: Minor }

type StatementParams = { account: ForumAccount; currency: Currency; from: Date; until: Date; zone: string }

/** The moves of the site's accounts of one name, by label, day and kind. */
export async function siteMoves(db: Db, { account, currency, from, until, zone }: StatementParams): Promise<SiteMove[]> {
  const { after, before } = await boundsOf(db, { from, until })
  const { rows } = await sql<Omit<SiteMove, 'amount'> & { amount: string }>`
    select label, (at at time zone ${zone}::text)::date::text as day, entry.kind, count(*)::int as count, sum(entry.amount)::text as amount
    from ledger.account join ledger.entry on account_id = account.id join ledger.transaction as its on its.id = transaction_id
    where name = ${account} and owner_id is null and account.currency = ${currency} and at >= ${from} and at < ${until}
      and transaction_id > coalesce(${after}::bigint, 0) and (${before}::bigint is null or transaction_id < ${before}::bigint)
    group by 1, 2, 3`.execute(db)
  return rows.map(({ amount, ...row }) => ({ ...row, amount: toMinor(amount) }))
}
