import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** The order of a full round. `database` is one piece, for checks without rows of their own. */
export const tables = [
  'database',
  'ledger.transaction',
  'ledger.account',
  'ledger.hold',
  'ledger.seal',
  'member',
  'hidden.unlock',
  'membership_order',
  'membership_specification',
  'payment_event',
  'payment_order',
  'payment_refund',
  'payment_dispute',
  'payment_statement',
] as const
export type CheckedTable = (typeof tables)[number]

/** A range of ids of one table. */
export type Piece = { table: CheckedTable; first: string; last: string }

/** Returns a condition on the column that holds the id. */
export type Among = (column: string) => RawBuilder<boolean>

const batchSize = 5_000

/** The next rows after this id, up to another; null after the last. */
export async function pieceAfter(db: Db, table: CheckedTable, id: string, upto = '9000000000000000000'): Promise<Piece | null> {
  if (table === 'database') return id === '0' ? { table, first: '1', last: '1' } : null
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(id) as first, max(id) as last from (select id from ${sql.table(table)} where id > ${id} and id <= ${upto} order by id limit ${batchSize}) as its`.execute(
    db,
  )
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { table, first, last }
}

export function rowsOf({ first, last }: Piece): Among {
  return (column) => sql`${sql.ref(column)} between ${first}::bigint and ${last}::bigint`
}

/** The rows of a table that these transactions moved. */
export function movedBy({ first, last }: Piece, table: CheckedTable): Among {
  const these = sql`between ${first}::bigint and ${last}::bigint`
  const accounts = sql`select account_id from ledger.entry where transaction_id ${these} and balance_after is not null`
  const moved: Partial<Record<CheckedTable, RawBuilder<unknown>>> = {
    'ledger.transaction': sql`select id from ledger.transaction where id ${these}`,
    'ledger.account': accounts,
    'ledger.hold': sql`select owner_id from ledger.account where name = 'escrow' and id in (${accounts})`,
    member: sql`select owner_id from ledger.account where name = 'member' and id in (${accounts})`,
    'hidden.unlock': sql`select id from hidden.unlock where transaction_id ${these}`,
    membership_order: sql`select id from membership_order where transaction_id ${these}
      union all select order_id from membership_refund where transaction_id ${these}`,
    payment_event: sql`select id from payment_event where transaction_id ${these}`,
    payment_order: sql`select id from payment_order where transaction_id ${these}
      union all select order_id from payment_refund where transaction_id ${these} union all select order_id from payment_dispute where transaction_id ${these}`,
    payment_refund: sql`select id from payment_refund where transaction_id ${these} or undone_by ${these}`,
    payment_dispute: sql`select id from payment_dispute where transaction_id ${these} or undone_by ${these}`,
    payment_statement: sql`select id from payment_statement where transaction_id ${these}`,
  }
  return (column) => {
    if (table === 'ledger.transaction') return sql`${sql.ref(column)} ${these}`
    return sql`${sql.ref(column)} in (${moved[table]})`
  }
}
