import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'ledger',
    by: ['ledger.account.owner_id', 'money_request.member_id'],
    rows: (memberId) => sql`
      select its.id, its.at, its.kind, account.name as account, entry.currency, entry.amount, entry.balance_after as "balanceAfter", its.reason
      from (
        select id, name from ledger.account where name = 'member' and owner_id = ${memberId}
        union all select account.id, name from ledger.hold join ledger.account on name = 'escrow' and account.owner_id = hold.id
          where hold.owner_id = ${memberId}
      ) as account join ledger.entry on entry.account_id = account.id join ledger.transaction as its on its.id = entry.transaction_id
      order by its.id`,
  },
  {
    name: 'held',
    by: ['ledger.hold.owner_id'],
    rows: (memberId) => sql`select kind, source, currency, amount, state from ledger.hold where owner_id = ${memberId} order by id`,
  },
  {
    name: 'rewards',
    by: ['reward.member_id'],
    rows: (memberId) => sql`
      select post_kind as kind, post_id as "postId", rule, points, day from reward where member_id = ${memberId} and is_given order by day, post_id`,
  },
]
