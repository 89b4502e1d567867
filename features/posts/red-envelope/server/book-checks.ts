import { sql } from 'kysely'
import { ofClaims, ofEnvelopes, sealedContent, sealsAreDemanded } from '#red-envelope/server/seal.ts'
import type { Check } from '#wallet/server/wallet.ts'

const shares = sql`lateral (
  select count(*) as total, coalesce(sum(amount), 0) as amount, count(member_id) as claimed, count(distinct member_id) as members,
    count(transaction_id) as paid, coalesce(sum(amount) filter (where transaction_id is not null), 0) as paid_amount,
    count(distinct transaction_id) as payments, coalesce(sum(amount) filter (where is_returned), 0) as returned,
    coalesce(sum(amount) filter (where transaction_id is null and not is_returned), 0) as unpaid,
    (array_agg(place order by amount desc, claimed_at))[1] as best_place
  from red_envelope_share where envelope_id = given.id) as share`
const envelopes = sql`ledger.hold join red_envelope as given on given.hold_id = hold.id, ${shares}`

/** The hold of a red envelope is the sum of its unpaid shares, each share went to one member, and nothing is held for one that is over. */
export const bookChecks: readonly Check[] = [
  {
    name: 'a red envelope holds what was not paid yet, and nothing once it is over',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id || ', red envelope ' || given.id as what from ${envelopes}
      where ${among('hold.id')} and (unpaid is distinct from (select balance from ledger.account where name = 'escrow' and owner_id = hold.id)
        or (hold.state = 'open') is distinct from (given.state = 'open') or (given.state <> 'open' and unpaid <> 0))
      union all
      select 'hold ' || hold.id || ', of no red envelope' from ledger.hold
      where ${among('hold.id')} and kind = 'redEnvelope' and not exists (select from red_envelope where hold_id = hold.id)`,
  },
  {
    name: 'each share of a red envelope goes to one member, of a targeted one to its receiver, and each member has one',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'red envelope ' || given.id as what from ${envelopes}
      where ${among('hold.id')} and (total <> quantity or share.amount <> given.amount or claimed > quantity or members <> claimed
        or given.kind = 'targeted' and exists (
          select from red_envelope_share where envelope_id = given.id and ledger.is_same_member(member_id, receiver_id) is false))`,
  },
  {
    name: 'a red envelope says of itself what its shares say',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'red envelope ' || given.id as what from ${envelopes}
      where ${among('hold.id')} and (share.paid <> given.paid or share.paid_amount <> given.paid_amount or share.payments <> given.payments
        or share.returned <> given.returned
        or case given.state when 'open' then share.returned <> 0
          when 'taken' then share.paid_amount <> given.amount or share.best_place is distinct from given.best_place
          else share.returned = 0 or share.paid_amount + share.returned <> given.amount end)`,
  },
  {
    name: 'a red envelope is as it was when it opened',
    over: 'ledger.hold',
    sealedFor: ofEnvelopes,
    breaches: (among) => sql`
      select 'red envelope ' || given.id as what, ${sealedContent} as content, given.seal
      from ledger.hold join red_envelope as given on given.hold_id = hold.id where ${among('hold.id')} and given.state = 'open' and (given.seal is not null or ${sealsAreDemanded})`,
  },
  {
    name: 'shares of red envelopes are claimed through the program',
    over: 'ledger.hold',
    sealedFor: ofClaims,
    breaches: (among) => sql`
      select concat('red envelope ', given.id, ', share ', place) as what, concat(given.id, ' ', member_id) as content, share.seal
      from ledger.hold join red_envelope as given on given.hold_id = hold.id join red_envelope_share as share on share.envelope_id = given.id
      where ${among('hold.id')} and member_id is not null and share.transaction_id is null
        and (share.seal is not null or ${sealsAreDemanded})`,
  },
  {
    name: 'what a red envelope took, paid and returned is what it and its shares say',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and (
        its.kind = 'redEnvelope' and allows_red_envelope(its) is not true
        or its.kind = 'redEnvelopeReceived' and allows_red_envelope_received(its) is not true
        or its.kind = 'redEnvelopeReturned' and allows_red_envelope_returned(its) is not true)`,
  },
]
