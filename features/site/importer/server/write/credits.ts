import { sql } from 'kysely'
import { transact, type Db } from '#base/server/database/database.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { toMinor, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const perTransaction = 200

/** Books what members brought along, through the ledger as everything. A debt there is a debt here. */
export async function bookCredits(context: Pick<ImportContext, 'database' | 'importId'>, report: (done: number) => void): Promise<void> {
  for (let done = 0; ;) {
    const booked = await transact(context.database, (tx) => bookSome(tx, context.importId))
    if (booked === 0) return
    report((done += booked))
  }
}

async function bookSome(tx: Db, importId: string): Promise<number> {
  const credits = await tx
    .selectFrom('import_credit')
    .select(['member_id', 'currency', 'amount'])
    .where('import_id', '=', importId)
    .where('transaction_id', 'is', null)
    .orderBy('member_id')
    .orderBy('currency')
    .limit(perTransaction)
    .forUpdate()
    .execute()
  for (const { member_id: memberId, currency, amount } of credits) {
    const posted = await bookCredit(tx, 'imported', { importId, memberId, currency, amount: BigInt(amount) })
    await sql`update import_credit set transaction_id = ${posted.id}
      where import_id = ${importId} and member_id = ${memberId} and currency = ${currency}`.execute(tx)
  }
  return credits.length
}

type Credit = { importId: string; memberId: string; currency: Currency; amount: bigint }

/** One entry between a member and the site, of either sign; below zero it is a debt. */
export function bookCredit(
  tx: Db,
  kind: 'imported' | 'importUndone',
  { importId, memberId, currency, amount }: Credit,
): Promise<wallet.Posted> {
  const source = `import:${importId}:${memberId}:${currency}`
  const its = {
    kind,
    source,
    by: { kind: 'forum' },
    currency,
    amount: toMinor(amount < 0n ? -amount : amount),
    account: 'adjustment',
  } as const
  return amount < 0n
    ? wallet.debit(tx, { ...its, from: memberId, owes: true })
    : wallet.credit(tx, { ...its, to: memberId, origin: 'given' })
}
