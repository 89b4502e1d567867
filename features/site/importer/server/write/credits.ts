import { sql } from 'kysely'
import { transact, type Db } from '#base/server/database/database.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { toMinor } from '#wallet/contract.ts'
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
    const cause = {
      kind: 'imported',
      source: `import:${importId}:${memberId}:${currency}`,
      by: { kind: 'forum' },
      reason: undefined,
    } as const
    const sum = { currency, amount: toMinor(amount.startsWith('-') ? amount.slice(1) : amount) }
    const posted = amount.startsWith('-')
      ? await wallet.debit(tx, { ...cause, ...sum, from: memberId, account: 'adjustment', owes: true })
      : await wallet.credit(tx, { ...cause, ...sum, to: memberId, account: 'adjustment', origin: 'given' })
    await sql`update import_credit set transaction_id = ${posted.id}
      where import_id = ${importId} and member_id = ${memberId} and currency = ${currency}`.execute(tx)
  }
  return credits.length
}
