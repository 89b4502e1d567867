import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { keyedHash } from '#base/server/security/sealing.ts'

/** The purposes of the key by which envelopes and claims are sealed. */
export const ofEnvelopes = 'red envelope'
export const ofClaims = 'red envelope claim'

/** What the giver decided of an envelope, and the amounts of its shares, as one text. */
export const sealedContent = sql<string>`jsonb_build_array(given.id, given.kind, giver_id, receiver_id, given.amount, quantity, conditions,
  (select encode(sha256(string_agg(amount::text, ' ' order by place)::bytea), 'hex') from red_envelope_share where envelope_id = given.id))::text`

/** Whether seals are demanded: until then, envelopes that opened before there were any, which last thirty days at most, are taken as they are. */
export const sealsAreDemanded = sql<boolean>`exists (select from migration where name = '0026-seals.sql' and ran_at < now() - interval '32 days')`

/** Seals an envelope that opens: it stays as it is now, whoever owns the database. */
export async function sealEnvelope(tx: Db, envelopeId: string): Promise<Buffer> {
  const { rows } = await sql<{ content: string }>`
    select ${sealedContent} as content from red_envelope as given where id = ${envelopeId}`.execute(tx)
  return keyedHash(ofEnvelopes, rows[0]?.content ?? '')
}

/** The seal of a claim, which only the program can make. */
export function claimSeal(envelopeId: string, memberId: string): Buffer {
  return keyedHash(ofClaims, `${envelopeId} ${memberId}`)
}

/** Where the forum has another key: open envelopes and claims that wait for payment are sealed anew, as they are now. */
export async function resealAll(tx: Db): Promise<void> {
  const open = await tx.selectFrom('red_envelope').select('id').where('state', '=', 'open').execute()
  for (const { id } of open)
    await tx
      .updateTable('red_envelope')
      .set({ seal: await sealEnvelope(tx, id) })
      .where('id', '=', id)
      .execute()
  const claims = await tx
    .selectFrom('red_envelope_share')
    .select(['envelope_id', 'place', 'member_id'])
    .where('member_id', 'is not', null)
    .where('transaction_id', 'is', null)
    .execute()
  for (const { envelope_id: id, place, member_id: memberId } of claims)
    await tx
      .updateTable('red_envelope_share')
      .set({ seal: claimSeal(id, memberId ?? '') })
      .where('envelope_id', '=', id)
      .where('place', '=', place)
      .execute()
}

/** Whether a claim was made through the program. */
export function isOwnClaim({ envelopeId, memberId, seal }: { envelopeId: string; memberId: string; seal: Buffer | null }): boolean {
  return seal?.equals(claimSeal(envelopeId, memberId)) ?? false
}
