import { sql } from 'kysely'
import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import type { reverseTransaction } from '#wallet/adjust-contract.ts'
import { toMinor, neverReversed, NotReversible, OwnAccount, reversedElsewhere, ReversedAlready } from '#wallet/contract.ts'
import { auditSubject, moveByHand, type ManualMove } from '#wallet/server/approval.ts'
import { reverse, notifyMoved } from '#wallet/server/wallet.ts'

/** Reverses a transaction, immediately or on approval. A repeated call returns the first reversal. */
export async function reverseByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { transactionId, reason }: ParsedInput<typeof reverseTransaction>,
): Promise<Output<typeof reverseTransaction>> {
  const before = await reversalOf(tx, transactionId)
  if (before) return { isWaiting: false, transactionId: before }
  const { isWaiting } = await moveByHand(tx, by, client, reversal, { input: { transactionId }, reason })
  return { isWaiting, transactionId: await reversalOf(tx, transactionId) }
}

/** Staff do not reverse a transaction that touches their own account. */
export const reversal: ManualMove<{ transactionId: string }> = {
  kind: 'reversal',
  input: z.object({ transactionId: z.string() }),
  async check(tx, by, { transactionId }) {
    const { rows } = await sql<{ kind: string; points: string; cents: string; owners: string[] }>`
      select its.kind, coalesce(sum(amount) filter (where amount > 0 and entry.currency = 'points'), 0) as points,
        coalesce(sum(amount) filter (where amount > 0 and entry.currency = 'cny'), 0) as cents,
        array(select distinct owner_id::text from ledger.entry join ledger.account on account.id = account_id
          where transaction_id = its.id and name = 'member') as owners
      from ledger.transaction as its join ledger.entry on transaction_id = its.id
      where its.id = ${transactionId} group by its.id`.execute(tx)
    const [its] = rows
    if (!its) throw Missing()
    if (isReversedElsewhere(its.kind)) throw NotReversible()
    if (its.owners.includes(by.id)) throw OwnAccount()
    const [memberId] = its.owners.length === 1 ? its.owners : []
    return {
      reverses: transactionId,
      ...(memberId && { memberId }),
      points: toMinor(its.points),
      cents: toMinor(its.cents),
    }
  },
  async execute(tx, _, { transactionId }, { by, reason }) {
    const { id, isNew } = await reverse(tx, transactionId, { by, reason })
    if (!isNew) return ReversedAlready()
    await notifyMoved(tx, [id], { kind: 'accountReversed', reason })
    return { transactionIds: [id], note: { action: 'wallet.reverse', about: auditSubject({ reverses: transactionId }) } }
  },
}

/** Whether the kind follows from something else, or is reversed in its own feature. */
export function isReversedElsewhere(kind: string): boolean {
  return [...neverReversed, ...reversedElsewhere].some((one) => one === kind)
}

async function reversalOf(tx: Db, transactionId: string): Promise<string | null> {
  const row = await tx.selectFrom('ledger.transaction').select('id').where('reverses', '=', transactionId).executeTakeFirst()
  return row?.id ?? null
}
