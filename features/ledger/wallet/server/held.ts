import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { serializeAmount, toMinor, type Currency } from '#wallet/contract.ts'
import type { HeldView, InEnvelopesView } from '#wallet/log-contract.ts'
import { subjectsOf } from '#wallet/server/subject.ts'

/** The amounts held of a member for bounties, with their questions, including those of accounts merged into theirs. */
export async function heldOf(db: Db, member: Member, currency: Currency): Promise<HeldView> {
  const { rows } = await sql<{ amount: string; source: string }>`
    with recursive ${ownersOf(member.id)}
    select amount, source from owner join ledger.hold on owner_id = owner.id
    where state = 'open' and currency = ${currency} and kind <> 'redEnvelope' order by hold.id desc`.execute(db)
  const sources = rows.map(({ source }) => source)
  const subjects = await subjectsOf(db, member, sources)
  const sum = rows.reduce((total, { amount }) => total + BigInt(amount), 0n)
  return { amount: serializeAmount(currency, toMinor(sum)), for: sources.flatMap((source) => subjects.get(source) ?? []) }
}

type Row = { currency: Currency; held: string; coming: string }

/** A member's amounts in red envelopes, in each currency. Claimed shares are paid a moment later, and can be spent only then. */
export async function envelopeAmountsOf(db: Db, memberId: string): Promise<Record<Currency, InEnvelopesView>> {
  const { rows } = await sql<Row>`
    with recursive ${ownersOf(memberId)}, part as (
      select hold.currency, balance as held, 0::bigint as coming from owner join ledger.hold on hold.owner_id = owner.id
        join ledger.account on account.name = 'escrow' and account.owner_id = hold.id
      where state = 'open' and kind = 'redEnvelope'
      union all
      select given.currency, 0, share.amount from owner join red_envelope_share as share on member_id = owner.id
        join red_envelope as given on given.id = envelope_id
      where share.transaction_id is null)
    select currency, sum(held)::text as held, sum(coming)::text as coming from part group by currency`.execute(db)
  const sums = (currency: Currency) => {
    const { held = '0', coming = '0' } = rows.find((row) => row.currency === currency) ?? {}
    return { held: serializeAmount(currency, toMinor(held)), coming: serializeAmount(currency, toMinor(coming)) }
  }
  return { points: sums('points'), cny: sums('cny') }
}

/** A member and the accounts merged into theirs. */
function ownersOf(memberId: string) {
  return sql`owner as (select ${memberId}::bigint as id union select from_id from owner join member_merge on into_id = owner.id)`
}
