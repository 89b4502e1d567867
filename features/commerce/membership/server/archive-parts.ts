import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'memberships',
    by: ['membership_order.buyer_id', 'membership_order.member_id'],
    rows: (memberId) => sql`
      select number, bought.at, buyer_id = ${memberId} as "isMine", case when buyer_id = ${memberId} then member_id <> ${memberId} else true end as "isGift",
        note, names, quantity, duration, unit, case when buyer_id = ${memberId} then bought.cents end as cents,
        case when buyer_id = ${memberId} then bought.points end as points, lower(during) as "from", upper(during) as "until", back.at as "refundedAt"
      from membership_order as bought left join membership_refund as back on order_id = bought.id
      where buyer_id = ${memberId} or member_id = ${memberId} order by bought.id`,
  },
  {
    name: 'membership-gifts',
    by: ['membership_gift.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", lower(during) as "from", upper(during) as "until", at
      from membership_gift join membership_gift_task as task on task.id = task_id join role on role.id = role_id where member_id = ${memberId} order by at`,
  },
]
