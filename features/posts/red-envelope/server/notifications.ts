import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import type { EnvelopeKind } from '#red-envelope/contract.ts'
import { serializeAmount, toMinor, type Currency } from '#wallet/contract.ts'

type TakenEnvelope = { kind: EnvelopeKind; giverId: string; name: string; currency: Currency; amount: string }

/** Notifies the giver that the last share was paid, and of the largest share if it was cut at random. */
export async function notifyAllTaken(tx: Db, envelopeId: string): Promise<void> {
  const { rows } = await sql<TakenEnvelope>`
    select given.kind, ledger.current_member(giver_id)::text as "giverId", coalesce(nickname, account) as name, currency, share.amount::text
    from red_envelope as given join red_envelope_share as share on share.envelope_id = given.id and place = best_place
      join member on member.id = member_id
    where given.id = ${envelopeId}`.execute(tx)
  for (const { kind, giverId, name, currency, amount } of rows) {
    const luckiest = { name, currency, amount: serializeAmount(currency, toMinor(amount)) }
    if (kind === 'fixed') await notification.notify(tx, giverId, { kind: 'envelopeGone', envelopeId })
    else if (kind === 'random') await notification.notify(tx, giverId, { kind: 'envelopeGoneAtRandom', envelopeId, ...luckiest })
    else await notification.notify(tx, giverId, { kind: 'envelopeOpened', envelopeId, name })
  }
}

type EndingEnvelope = {
  id: string
  giverId: string
  giverName: string
  receiverId: string | null
  endsAt: Date | null
  left: number
  quantity: number
}

const batchSize = 500

/**
 * Notifies once that an envelope with free shares ends soon: when a tenth of its time is left, at most a day. The receiver of a targeted
 * one is notified too, unless the giver has blocked them. Returns true if there may be more.
 */
export async function notifyEnding(tx: Db): Promise<boolean> {
  const { rows } = await sql<EndingEnvelope>`
    with due as (
      select id from red_envelope as given
      where state = 'open' and told_of_end_at is null and ends_at between clock_timestamp() and clock_timestamp() + interval '1 day'
        and ends_at - clock_timestamp() <= (ends_at - opened_at) / 10
        and exists (select from red_envelope_share where envelope_id = given.id and member_id is null and not is_returned)
        and not exists (select from ledger.freezing where thawed_at is null)
      order by ends_at limit ${batchSize} for no key update skip locked)
    update red_envelope as given set told_of_end_at = clock_timestamp() from due, member
    where given.id = due.id and member.id = ledger.current_member(giver_id)
    returning given.id::text, member.id::text as "giverId", coalesce(nickname, account) as "giverName", ends_at as "endsAt", quantity,
      (select count(*) from red_envelope_share where envelope_id = given.id and member_id is null and not is_returned)::int as left,
      (select id from member as receiver where id = receiver_id and not exists (
        select from member_block where how = 'blocked' and member_id = member.id and other_id = receiver.id))::text as "receiverId"`.execute(
    tx,
  )
  await notification.notifyEach(
    tx,
    rows.flatMap(({ id: envelopeId, giverId, giverName: name, receiverId, endsAt, left, quantity }) => {
      // An open envelope always has a deadline.
      if (!endsAt) return []
      const details = { envelopeId, endsAt: endsAt.toISOString() }
      const giver = { memberId: giverId, says: { kind: 'envelopeEnding', ...details, left, quantity } as const }
      return receiverId === null
        ? [giver]
        : [giver, { memberId: receiverId, says: { kind: 'envelopeEndingForYou', ...details, name } as const }]
    }),
  )
  return rows.length === batchSize
}
