import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { perProgram } from '#base/server/program.ts'
import { invalidateEnvelope, invalidateCard } from '#red-envelope/server/invalidate.ts'
import { forEachIsolated } from '#red-envelope/server/isolate.ts'
import { notifyAllTaken } from '#red-envelope/server/notifications.ts'
import { isOwnClaim, sealsAreDemanded } from '#red-envelope/server/seal.ts'
import type { Currency } from '#wallet/contract.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

export const payJob = { name: 'red-envelope-pay' }

const batchSize = 500

const claimedOf = perProgram(() => new Set<string>())

/** A claim of this envelope is committed: a moment later it is paid, together with others. */
export function schedulePayment(db: Db, envelopeId: string): void {
  claimedOf(db).add(envelopeId)
}

/** Pays the claims of this process since the last call. An envelope locked by another process stays for the next call. */
export async function payScheduled(database: Database): Promise<void> {
  const scheduled = claimedOf(database.app)
  if (scheduled.size === 0 || (await wallet.isFrozen(database.app))) return
  const ids = [...scheduled]
  for (const id of ids) {
    scheduled.delete(id)
    if (!(await payEnvelope(database, id))) scheduled.add(id)
  }
}

/** Pays the claims of all processes; one process at a time pays an envelope. */
export async function payAll(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const { rows } = await sql<{ id: string }>`
    select distinct envelope_id::text as id from red_envelope_share where member_id is not null and transaction_id is null`.execute(
    database.app,
  )
  const ids = rows.map(({ id }) => id)
  await forEachIsolated(ids, (id) => payEnvelope(database, id))
}

/** Pays claims in batches, each under the row lock of the envelope. Returns false if another process holds the lock. */
async function payEnvelope(database: Database, envelopeId: string): Promise<boolean> {
  let paid: number | null = batchSize
  while (paid === batchSize)
    paid = await transact(database, async (tx) => {
      const envelope = await lock(tx, envelopeId, 'skips')
      return envelope && payBatch(tx, envelope)
    })
  return paid !== null
}

export type Envelope = {
  id: string
  /** The giver's current account, after merges. */
  giverId: string
  kind: string
  topicId: string | null
  receiverId: string | null
  currency: Currency
  amount: string
  quantity: number
  state: string
  holdId: string | null
  paid: number
  payments: number
  isOver: boolean
}

/** Locks an envelope; claims do not wait for this lock. Null if it does not exist, or is locked and the caller skips. */
export async function lock(tx: Db, envelopeId: string, whenLocked: 'skips' | 'waits'): Promise<Envelope | null> {
  const { rows } = await sql<Envelope>`
    select id, ledger.current_member(giver_id) as "giverId", kind, topic_id as "topicId", ledger.current_member(receiver_id) as "receiverId", currency, amount::text, quantity, state,
      hold_id as "holdId", paid, payments, coalesce(ends_at <= clock_timestamp(), false) as "isOver"
    from red_envelope where id = ${envelopeId} for no key update ${whenLocked === 'skips' ? sql`skip locked` : sql``}`.execute(tx)
  return rows[0] ?? null
}

type Claim = { place: number; amount: string; claimer: string; memberId: string; seal: Buffer | null; isSealed: boolean }

/** Pays one batch of claims of a locked envelope, and returns their number. The envelope is over once all shares are paid. */
export async function payBatch(tx: Db, { id, topicId, holdId, quantity, paid, payments }: Envelope): Promise<number> {
  if (holdId === null) return 0
  const { rows: shares } = await sql<Claim>`
    select place, amount::text, member_id::text as claimer, ledger.current_member(member_id)::text as "memberId", seal,
      seal is not null or ${sealsAreDemanded} as "isSealed"
    from red_envelope_share
    where envelope_id = ${id} and member_id is not null and transaction_id is null order by claimed_at limit ${batchSize}`.execute(tx)
  if (shares.length === 0) return 0
  const foreign = shares.find(({ claimer, seal, isSealed }) => isSealed && !isOwnClaim({ envelopeId: id, memberId: claimer, seal }))
  if (foreign) throw new Error(`Share ${foreign.place} of red envelope ${id} was not claimed through the program`)
  const sums = Map.groupBy(shares, ({ memberId }) => memberId)
  const pays = [...sums].map(([to, its]) => ({ to, amount: toMinor(its.reduce((sum, { amount }) => sum + BigInt(amount), 0n)) }))
  const source = `redEnvelope:${id}:${payments + 1}`
  const { id: transactionId } = await wallet.draw(tx, holdId, { kind: 'redEnvelopeReceived', source, by: { kind: 'forum' }, pays })
  const places = shares.map(({ place }) => place)
  await sql`
    update red_envelope_share set transaction_id = ${transactionId} where envelope_id = ${id} and place = any(${places}::int[])`.execute(tx)
  const isAll = paid + shares.length === quantity
  await sql`
    update red_envelope set paid = paid + ${shares.length}, payments = payments + 1, first_free = ${firstFree(id)},
      paid_amount = paid_amount + ${shares.reduce((sum, { amount }) => sum + BigInt(amount), 0n)}::bigint
      ${isAll ? sql`, state = 'taken', ended_at = clock_timestamp(), end_reason = 'taken', best_place = ${bestOf(id)}` : sql``}
    where id = ${id}`.execute(tx)
  if (isAll) {
    await invalidateEnvelope(tx, { id, topicId })
    await notifyAllTaken(tx, id)
  } else invalidateCard(tx, id)
  return shares.length
}

// Claims are final, so it only grows. Otherwise every claim would read the dead index entries of all earlier free shares.
function firstFree(id: string) {
  return sql`coalesce((
    select min(place) from red_envelope_share
    where envelope_id = ${id} and place >= first_free and member_id is null and not is_returned), quantity + 1)`
}

function bestOf(id: string) {
  return sql`(select place from red_envelope_share where envelope_id = ${id} order by amount desc, claimed_at limit 1)`
}
