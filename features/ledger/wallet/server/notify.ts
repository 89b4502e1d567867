import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import { serializeAmount, toMinor, type Currency } from '#wallet/contract.ts'

type AccountNotification = { kind: 'accountAdjusted' | 'accountReversed' | 'accountRefunded'; reason: string } | { kind: 'hiddenPartGone' }

/** Notifies each member whose account these transactions moved, with the total and the reason. */
export async function notifyMoved(tx: Db, transactionIds: readonly string[], facts: AccountNotification): Promise<void> {
  const { rows } = await sql<{ memberId: string; currency: Currency; amount: string }>`
    select owner_id as "memberId", entry.currency, sum(amount) as amount from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = ${anyOf(transactionIds)} and name = 'member' and owner_id is not null
    group by owner_id, entry.currency having sum(amount) <> 0 order by 1, 2`.execute(tx)
  await notification.notifyEach(
    tx,
    rows.map(({ memberId, currency, amount }) => ({
      memberId,
      says: { ...facts, currency, amount: serializeAmount(currency, toMinor(amount)) },
    })),
  )
}
