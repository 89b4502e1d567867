import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { toMinor, type Currency, type EntryKind } from '#wallet/contract.ts'
import { credit, debit } from '#wallet/server/wallet.ts'

/** Kinds of transactions that need no row. They are declared only in test databases. */
export const freeKinds = {
  gift: 'testGift' as string as EntryKind,
  payment: 'testPayment' as string as EntryKind,
  hold: 'testHold' as string as EntryKind,
  release: 'testRelease' as string as EntryKind,
}

/** Declares them, run as the database's owner. */
export const declareFreeKinds = `
  insert into ledger.kind (name, legs, may_owe) values
    ('testGift', '{member+,member-,adjustment+,adjustment-,clearing-,clearing+}', true),
    ('testPayment', '{member+,member-,platform+,membership+}', false),
    ('testHold', '{member-,member+,escrow-,escrow+}', false),
    ('testRelease', '{escrow-,member+,platform+}', false)
  on conflict do nothing`

let accountCount = 0

/** Inserts a member directly, for tests without logins. Returns the id. */
export async function aMemberRow({ app }: Database): Promise<string> {
  const account = `holder_${++accountCount}`
  const row = { account, account_key: account, password_hash: '' }
  return (await app.insertInto('member').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** The entry in the audit log that the database asks of a request. */
export async function noteRequest(tx: Db, requestId: string): Promise<void> {
  await sql`
    select append_audit(asked_by, account, '', jsonb_build_array(jsonb_build_object('action', 'wallet.adjust', 'about', 'member ' || member_id,
      'reason', reason, 'after', jsonb_build_object('requestId', money_request.id::text))))
    from money_request join staff on staff.id = asked_by where money_request.id = ${requestId}`.execute(tx)
}

/** Credits or debits a member as staff would; `owes` allows a debt. */
export async function endow(
  database: Database,
  memberId: string,
  amount: number,
  currency: Currency = 'points',
  owes = false,
): Promise<void> {
  await transact(database, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      with keeper as (
        insert into staff (account, account_key, password_hash, speaks_as) values ('keeper', 'keeper', '', ${memberId})
          on conflict (account_key) do update set account = excluded.account returning id)
      insert into money_request (kind, member_id, points, cents, input, reason, asked_by)
        select 'adjustment', ${memberId}, ${currency === 'points' ? amount : 0}, ${currency === 'cny' ? amount : 0}, '{}', 'A gift', id
        from keeper returning id`.execute(tx)
    const cause = {
      kind: 'adjustment',
      source: `adjustment:${rows[0]?.id}`,
      by: { kind: 'forum' },
      account: 'adjustment',
      currency,
    } as const
    const { id } = await (amount > 0
      ? credit(tx, { ...cause, to: memberId, amount: toMinor(amount), origin: 'given' })
      : debit(tx, { ...cause, from: memberId, amount: toMinor(-amount), owes }))
    const requestId = rows[0]?.id ?? ''
    await sql`update money_request set state = 'done', decided_at = clock_timestamp(), transaction_id = ${id} where id = ${requestId}`.execute(
      tx,
    )
    await noteRequest(tx, requestId)
  })
}
