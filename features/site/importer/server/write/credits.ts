import { sql } from 'kysely'
import { transact, type Db } from '#base/server/database/database.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import type { SourceBounty, SourceMember } from '#importer/server/source.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { toMinor, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const perTransaction = 200

type Balance = { currency: Currency; /** Points, or cents. */ amount: bigint }

/** Points and money for whole units of credits, as the operator chose. */
export function balancesOf({ points, money }: Mapping, credits: SourceMember['credits']): Balance[] {
  const balances: Balance[] = [
    { currency: 'points', amount: points === null ? 0n : (credits[points] ?? 0n) },
    { currency: 'cny', amount: money ? (credits[money.credit] ?? 0n) * BigInt(money.centsPerUnit) : 0n },
  ]
  return balances.filter(({ amount }) => amount !== 0n)
}

type OpenBounty = { memberId: string; bounty: SourceBounty }

/**
 * Gives bounties that nobody was given back to the members who had paid them on asking. Only while the first run brings balances: those of a
 * later run are from before the question.
 */
export async function returnBounties(tx: Db, { importId, mapping }: ImportContext, bounties: readonly OpenBounty[]): Promise<void> {
  const returned = bounties.flatMap(({ memberId, bounty }) =>
    balancesOf(mapping, { [bounty.credit]: bounty.amount }).map((balance) => ({ memberId, ...balance })),
  )
  for (const { memberId, currency, amount } of returned) {
    const { rows } = await sql<{ amount: string }>`
      select coalesce(import_credit.amount, 0) as amount
      from import join import_row on import_row.import_id = import.id and import_row.kind = 'member' and new_id = ${memberId}
        left join import_credit on import_credit.import_id = import.id and member_id = new_id::bigint and currency = ${currency}
      where import.id = ${importId} and finished_at is null and transaction_id is null`.execute(tx)
    if (!rows[0]) continue
    const its = { import_id: importId, member_id: memberId, currency }
    await tx
      .deleteFrom('import_credit')
      .where((row) => row.and(its))
      .execute()
    // A debt of as much is none any more.
    const left = BigInt(rows[0].amount) + amount
    if (left !== 0n)
      await tx
        .insertInto('import_credit')
        .values({ ...its, amount: String(left) })
        .execute()
  }
}

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
