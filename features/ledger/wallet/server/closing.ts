import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { currencies } from '#wallet/contract.ts'
import { isFrozen } from '#wallet/server/freeze.ts'
import { accountsOf } from '#wallet/server/log.ts'
import { post } from '#wallet/server/post.ts'
import { reverseAll } from '#wallet/server/resolve.ts'

const batchSize = 500

// A merged account lives on in another one; a member who was disabled or left voluntarily may return at any time.
const isClosed = sql<boolean>`deactivated_at is not null and deactivated_as not in ('disabled', 'left') and merged_into is null
  and not exists (select from ledger.hold where hold.owner_id = member.id and state = 'open')`

/** Books the remaining balances of closed accounts to the forum, each in its own transaction. Holds are returned or paid first. */
export async function closeEnded(database: Database): Promise<void> {
  if (await isFrozen(database.app)) return
  const { rows } = await sql<{ id: string }>`
    select member.id from member where ${isClosed}
      and exists (select from ledger.account where name = 'member' and owner_id = member.id and balance > 0) limit ${batchSize}`.execute(
    database.app,
  )
  for (const { id } of rows) await transact(database, (tx) => closeAccount(tx, id))
}

/** Does nothing if the account was restored meanwhile. */
async function closeAccount(tx: Db, memberId: string): Promise<void> {
  const member = await tx
    .selectFrom('member')
    .select('deactivated_because')
    .where('id', '=', memberId)
    .where(isClosed)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!member) return
  const [accounts, newest] = [await accountsOf(tx, memberId), await newestOf(tx, memberId)]
  for (const currency of currencies) {
    const amount = accounts[currency].balance
    // A later payment to the account is closed under a new source.
    const source = `closing:${memberId}:${currency}:${newest}`
    const cause = { kind: 'closing', source, by: { kind: 'forum' }, reason: member.deactivated_because ?? undefined } as const
    const lines = [
      { name: 'member', owner: memberId, currency, amount: 0n - amount },
      { name: 'platform', currency, amount },
    ] as const
    if (amount > 0n) await post(tx, { ...cause, lines })
  }
}

/** Returns the closed balances to a restored account, or to the one it was merged into. */
export async function reopenAccount(tx: Db, memberId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select its.id from ledger.transaction as its where kind = 'closing' and not exists (select from ledger.transaction as back where back.reverses = its.id)
      and its.id in (select transaction_id from ledger.entry join ledger.account on account.id = account_id
        where name = 'member' and owner_id = ${memberId}) order by its.id`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await reverseAll(tx, ids, { by: { kind: 'forum' } })
}

async function newestOf(tx: Db, memberId: string): Promise<string> {
  const { rows } = await sql<{ newest: string }>`
    select max(transaction_id) as newest from ledger.entry join ledger.account on account.id = account_id
    where name = 'member' and owner_id = ${memberId}`.execute(tx)
  return rows[0]?.newest ?? '0'
}
