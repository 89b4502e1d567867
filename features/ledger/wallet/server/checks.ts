import { sql } from 'kysely'
import type { Check } from '#wallet/server/breaches.ts'
import { sealedContent } from '#wallet/server/seal.ts'
import { checks as ofDocuments } from '#wallet/server/document-checks.ts'
import { checks as ofSums } from '#wallet/server/sum-checks.ts'

const ofEntries: readonly Check[] = [
  {
    name: 'transactions and their entries are as they were written',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      left join lateral (select array_agg(entry) as entries from ledger.entry where transaction_id = its.id) as side on true
      where ${among('its.id')} and digest is distinct from ledger.digest_of(its, entries)`,
  },
  {
    name: 'transactions sum to zero, and have two sides',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its left join ledger.entry on transaction_id = its.id
      where ${among('its.id')} group by its.id, currency having coalesce(sum(amount), 1) <> 0 or count(*) < 2`,
  },
  {
    name: 'entries are of a transaction of their kind, of accounts that it may move, and in the currency of their account',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || transaction_id || ', account ' || account_id as what
      from ledger.entry left join ledger.account on account.id = account_id left join ledger.transaction as its on its.id = transaction_id
        left join ledger.kind on kind.name = its.kind
      where ${among('transaction_id')} and (account.currency is distinct from entry.currency or (balance is null) <> (balance_after is null)
        or its.kind is distinct from entry.kind
        or (account.name || case when entry.amount > 0 then '+' else '-' end) = any(legs) is not true)`,
  },
  {
    name: 'balances go on from one another',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.transaction_id || ', account ' || its.account_id as what from ledger.entry as its
      left join lateral (
        select balance_after from ledger.entry where account_id = its.account_id and transaction_id < its.transaction_id
        order by transaction_id desc limit 1) as before on true
      where ${among('its.transaction_id')} and its.balance_after is not null
        and its.balance_after <> coalesce(before.balance_after, 0) + its.amount`,
  },
  {
    name: 'accounts are somebody’s',
    over: 'ledger.account',
    breaches: (among) => sql`
      select 'account ' || its.id as what from ledger.account as its where ${among('its.id')}
        and (name = 'member' and not exists (select from member where member.id = its.owner_id)
          or name = 'escrow' and not exists (select from ledger.hold where hold.id = its.owner_id and hold.currency = its.currency))`,
  },
  {
    name: 'what is held is that of the member it was taken from, or was held for before',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id as what from ledger.hold where ${among('hold.id')} and not exists (
        select from ledger.entry join ledger.account on account.id = account_id and account.owner_id is not null
          left join ledger.hold as before on account.name = 'escrow' and before.id = account.owner_id
        where transaction_id = hold.opened_by and entry.amount < 0
          and ledger.is_same_member(coalesce(before.owner_id, account.owner_id), hold.owner_id))`,
  },
  {
    name: 'what is held lies on its account while it is open, and nothing after',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id as what from ledger.hold
      left join ledger.account on name = 'escrow' and account.owner_id = hold.id and account.currency = hold.currency
      where ${among('hold.id')} and (balance is null or case state when 'open' then balance not between 1 and amount else balance <> 0 end)`,
  },
]

/** Transactions are as they were sealed, also where whoever owns the database changed one together with its digest. */
const ofSeals: readonly Check[] = [
  {
    name: 'transactions are as they were sealed',
    over: 'ledger.seal',
    sealedFor: 'ledger',
    breaches: (among) => sql`
      select 'transactions up to ' || its.id as what, ${sealedContent(sql`its.id`)} as content, its.hash as seal
      from ledger.seal as its where ${among('its.id')}`,
  },
  {
    name: 'what is summed up is sealed',
    over: 'ledger.seal',
    isFullOnly: true,
    breaches: (among) => sql`
      select 'transactions after ' || its.id as what from ledger.seal as its
      where ${among('its.id')} and its.id = (select max(id) from ledger.seal) and its.id < (select upto from ledger.summed)`,
  },
]

/** The invariants of the ledger. */
export const ledgerChecks: readonly Check[] = [...ofEntries, ...ofSums, ...ofDocuments, ...ofSeals]
