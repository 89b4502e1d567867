import { sql, type RawBuilder } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateEnvelope } from '#red-envelope/server/invalidate.ts'
import { forEachIsolated } from '#red-envelope/server/isolate.ts'
import { isPostVisible } from '#red-envelope/server/place.ts'
import { lock, payBatch, type Envelope } from '#red-envelope/server/pay.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

export type EndReason = 'expired' | 'postGone' | 'giverGone' | 'stopped'

/**
 * Ends a locked envelope: claimed shares are paid, the rest returns to the giver with a notice. Each free share is taken under its own
 * row lock, so that a claim never takes it too. Does nothing if the envelope has ended.
 */
export async function endLocked(tx: Db, envelope: Envelope, reason: EndReason): Promise<void> {
  const { id, state, holdId, giverId, currency } = envelope
  if (state === 'waiting') return drop(tx, id, reason)
  if (state !== 'open' || holdId === null) return
  const { rows } = await sql<{ amount: string }>`
    update red_envelope_share set is_returned = true where envelope_id = ${id} and member_id is null and not is_returned
    returning amount::text`.execute(tx)
  let current = envelope
  for (let paid = await payBatch(tx, current); paid > 0; paid = await payBatch(tx, current))
    current = { ...current, paid: current.paid + paid, payments: current.payments + 1 }
  // The last share was claimed a moment before.
  if (rows.length === 0) return
  const returned = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  await tx
    .updateTable('red_envelope')
    .set({ state: 'returned', ended_at: sql`clock_timestamp()`, end_reason: reason, returned: String(returned) })
    .where('id', '=', id)
    .execute()
  await wallet.release(tx, holdId, { kind: 'redEnvelopeReturned', source: `redEnvelope:${id}`, by: { kind: 'forum' } })
  await invalidateEnvelope(tx, envelope)
  await notification.notify(tx, giverId, {
    kind: 'envelopeReturned',
    envelopeId: id,
    currency,
    amount: serializeAmount(currency, toMinor(returned)),
  })
}

/** Ends an envelope that never opened and held nothing. */
export async function drop(tx: Db, id: string, reason: EndReason | 'tooLittle'): Promise<void> {
  await tx
    .updateTable('red_envelope')
    .set({ state: 'dropped', ended_at: sql`clock_timestamp()`, end_reason: reason })
    .where('id', '=', id)
    .execute()
}

/**
 * Ends envelopes that expired, lost their post, or whose giver is gone or banned, each in its own transaction. Locked ones wait for the
 * next minute.
 */
export async function endDue(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const ids = (await dueEnvelopes(database.app)).map(({ id }) => id)
  await forEachIsolated(ids, (id) =>
    transact(database, async (tx) => {
      const envelope = await lock(tx, id, 'skips')
      const [still] = envelope ? await dueEnvelopes(tx, id) : []
      if (envelope && still) await endLocked(tx, envelope, still.reason)
    }),
  )
}

/**
 * The envelopes to end, or the one with this id, with the reason. Includes those whose post went while the ledger was frozen, and those
 * waiting for a post that was purged.
 */
async function dueEnvelopes(db: Db, id?: string): Promise<{ id: string; reason: EndReason }[]> {
  const { rows } = await sql<{ id: string; reason: EndReason }>`
    select id, reason from (
      select given.id, given.ends_at, case
          when (deactivated_as not in ('disabled', 'left') and merged_into is null) or exists (
            select from member_ban where member_id = member.id and function = 'money' and lifted_at is null
              and (member_ban.ends_at is null or member_ban.ends_at > clock_timestamp())) then 'giverGone'
          when topic.purged_at is not null or (given.state = 'open' and not ${isPostVisible}) then 'postGone'
          when given.ends_at <= clock_timestamp() then 'expired' end as reason
      from red_envelope as given join member on member.id = ledger.current_member(giver_id) left join topic on topic.id = topic_id
      where given.state in ('waiting', 'open') ${id === undefined ? sql`` : sql`and given.id = ${id}`}
    ) as its where reason is not null order by ends_at limit 500`.execute(db)
  return rows
}

/** The waiting or open envelopes of this condition, locked. */
export async function lockWhere(tx: Db, condition: RawBuilder<unknown>): Promise<Envelope[]> {
  const { rows } = await sql<{ id: string }>`
    select id from red_envelope as given where state in ('waiting', 'open') and ${condition} order by id`.execute(tx)
  const locked: Envelope[] = []
  for (const { id } of rows) {
    const envelope = await lock(tx, id, 'waits')
    if (envelope) locked.push(envelope)
  }
  return locked
}
