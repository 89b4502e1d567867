import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { notifyEach } from '#notification/server/notification.ts'

type Row = { memberId: string; days: number; zh: string; en: string; endsAt: Date }

/** Days before the end of a role on which its holder is notified; 0 is the end itself. */
const leads = [7, 1, 0] as const

/** The latest notification after an end, should no server have run. */
const lateDays = 3
const batchSize = 500

/**
 * Notifies members that a role of theirs ends soon, or has ended, once for each lead and end; not where the same role continues, was taken
 * away, or was held for less than the lead. Returns false once all are notified.
 */
export async function notifyOfEndingRoles(tx: Db): Promise<boolean> {
  // Without its range the end could not be read from its index.
  const { rows } = await sql<Row>`
    with due as (
      select held.id, days from role_holding as held,
        lateral (select case when upper(during) <= clock_timestamp() then 0 when upper(during) <= clock_timestamp() + interval '1 day' then 1 else 7 end as days) as its
      where not upper_inf(during) and upper(during) < 'infinity'
        and upper(during) between clock_timestamp() - make_interval(days => ${lateDays}) and clock_timestamp() + make_interval(days => ${leads[0]})
        and lower(during) < clock_timestamp() and (told_of_end is distinct from upper(during) or told_days > days)
        and upper(during) - lower(during) > make_interval(days => days) and not (is_taken and days = 0)
        and not exists (
          select from role_holding as next where next.member_id = held.member_id and next.role_id = held.role_id and next.id <> held.id
            and lower(next.during) <= greatest(upper(held.during), clock_timestamp()) and coalesce(upper(next.during), 'infinity') > greatest(upper(held.during), clock_timestamp()))
      limit ${batchSize} for no key update of held skip locked)
    update role_holding as held set told_of_end = upper(during), told_days = days from due, role
    where held.id = due.id and role.id = role_id
    returning member_id as "memberId", days, name_zh as zh, name_en as en, upper(during) as "endsAt"`.execute(tx)
  await notifyEach(
    tx,
    rows.map(({ memberId, days, zh, en, endsAt }) => {
      const role = { zh, en }
      return { memberId, says: days === 0 ? { kind: 'roleEnded', role } : { kind: 'roleEnding', role, endsAt: endsAt.toISOString() } }
    }),
  )
  // Names of roles stand beside the posts of their holders.
  invalidate(tx, ...rows.flatMap(({ memberId, days }) => (days === 0 ? [`member:${memberId}`] : [])))
  return rows.length === batchSize
}
