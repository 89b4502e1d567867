import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** What is held for red envelopes is what nobody was paid yet, each share went to one, and of what is over nothing is held. */
export const checks: readonly Check[] = [
  {
    name: 'a red envelope holds what was not paid yet, and nothing once it is over',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id || ', red envelope ' || given.id as what
      from ledger.hold join red_envelope as given on given.hold_id = hold.id
        join ledger.account on account.name = 'escrow' and account.owner_id = hold.id
      where ${among('hold.id')} and (account.balance <> (
          select coalesce(sum(amount), 0) from red_envelope_share where envelope_id = given.id and transaction_id is null and not is_returned)
        or (hold.state = 'open') is distinct from (given.state = 'open')
        or not exists (select from red_envelope_share where envelope_id = given.id having count(*) = given.quantity and sum(amount) = given.amount))
      union all
      select 'hold ' || hold.id || ', of no red envelope' from ledger.hold
      where ${among('hold.id')} and kind = 'redEnvelope' and not exists (select from red_envelope where hold_id = hold.id)`,
  },
  {
    name: 'what a red envelope paid is what its shares say',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and (
        its.kind = 'redEnvelopeReceived' and allows_red_envelope_received(its) is not true
        or its.kind = 'redEnvelopeReturned' and allows_red_envelope_returned(its) is not true)`,
  },
]
