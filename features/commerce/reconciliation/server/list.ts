import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { NotDifferent, type differenceList, type settleDifference, type statementList } from '#reconciliation/contract.ts'
import { waitingEvent } from '#reconciliation/server/statement-events.ts'
import { yuan } from '#payment/server/payment.ts'

type StatementRow = z.input<typeof statementList.row>

export async function statements(db: Db, { provider, ...asked }: ParsedInput<typeof statementList>): Promise<Answer<typeof statementList>> {
  const all = db.selectFrom('payment_statement as told').select('told.id')
  const query = provider ? all.where('provider', '=', provider) : all
  const page = await paged(db, query, { ...asked, keys: { day: { by: sql`told.day`, as: 'date' } }, id: sql`told.id` })
  const ids = page.rows.map(({ id }) => id)
  const { rows } = await sql<StatementRow>`
    select told.id::text, provider, day::text, fetched_at as "fetchedAt", paid_count as payments, paid_cents as paid, refunded_count as refunds,
      refunded_cents as refunded, fee_cents as fees, found.open, found.differences
    from payment_statement as told, lateral (
      select count(*) filter (where state = 'open')::int as open, count(*)::int as differences from payment_difference where statement_id = told.id) as found
    where told.id = ${anyOf(ids)}`.execute(db)
  const views = rows.map((row) => ({
    ...row,
    paid: yuan(row.paid),
    refunded: yuan(row.refunded),
    fees: yuan(row.fees),
  }))
  return { ...page, rows: sortByIds(ids, views) }
}

type DifferenceRow = z.input<typeof differenceList.row>

export async function differences(
  db: Db,
  { state, provider, statement, ...asked }: ParsedInput<typeof differenceList>,
): Promise<Answer<typeof differenceList>> {
  const condition = sql.join(
    [
      sql`true`,
      ...(state ? [sql`state = ${state}`] : []),
      ...(provider ? [sql`(select provider from payment_statement where payment_statement.id = statement_id) = ${provider}`] : []),
      ...(statement ? [sql`statement_id = ${statement}`] : []),
    ],
    sql` and `,
  )
  const source = sql<{ id: string; found_at: Date }>`(select its.id, found_at from payment_difference as its where ${condition})`
  const page = await paged(db, db.selectFrom(source.as('found')).select('found.id'), {
    ...asked,
    keys: { found: { by: sql`found.found_at`, as: 'timestamptz' } },
    id: sql`found.id`,
  })
  const ids = page.rows.map(({ id }) => id)
  const { rows } = await sql<DifferenceRow>`
    select found.id::text, told.provider, day::text, found.kind, found.number, ${paymentNumber} as "paymentNumber",
      case when found.state = 'open' then ${waitingEvent} end as "eventId", cents_here as here,
      cents_there as there, found.state, settled_at as "settledAt", staff.account as "settledBy", answer
    from payment_difference as found join payment_statement as told on told.id = statement_id left join staff on staff.id = settled_by
    where found.id = ${anyOf(ids)}`.execute(db)
  const views = rows.map((row) => ({
    ...row,
    here: row.here === null ? null : yuan(row.here),
    there: row.there === null ? null : yuan(row.there),
  }))
  return { ...page, rows: sortByIds(ids, views) }
}

const paymentNumber: RawBuilder<unknown> = sql`(
  select number from payment_order where number = found.number and found.kind in ('notHere', 'notThere', 'otherAmount')
  union all
  select paid.number from payment_dispute as its join payment_order as paid on paid.id = order_id
  where its.provider = told.provider and its.provider_number = found.number and found.kind in ('disputeNotThere', 'disputeOtherAmount', 'reversalNotHere')
  union all
  select paid.number from payment_refund as back join payment_order as paid on paid.id = order_id
  where back.number = found.number and found.kind in ('refundNotHere', 'refundNotThere', 'refundOtherAmount', 'refundFailedThere'))`

export async function settle(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { differenceId, reason }: ParsedInput<typeof settleDifference>,
): Promise<void> {
  const found = await tx.selectFrom('payment_difference').select('state').where('id', '=', differenceId).forUpdate().executeTakeFirst()
  if (!found) throw Missing()
  if (found.state !== 'open') throw NotDifferent()
  await tx
    .updateTable('payment_difference')
    .set({ state: 'settled', settled_at: sql`clock_timestamp()`, settled_by: by.staff.id, answer: reason })
    .where('id', '=', differenceId)
    .execute()
  await audit.note(tx, by.staff, client, { action: 'payment.settle', about: `paymentDifference ${differenceId}`, reason })
}

function sortByIds<View extends { id: string }>(ids: readonly string[], views: readonly View[]): View[] {
  return views.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}
