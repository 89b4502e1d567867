import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { dayAt, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { dashboard, Range } from '#statistic/contract.ts'
import { within } from '#statistic/server/within.ts'

type View = Output<typeof dashboard>

const after = [1, 7, 30]
const month = 30

/** Members who were active since midnight. An account without any login does not count. */
export async function activeToday(db: Db, timeZone: string): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('last_seen_at', '>=', startOfDay(dayAt(Date.now(), timeZone), timeZone))
    .where(sql<boolean>`exists (select from login_log where member_id = member.id)`)
    .executeTakeFirstOrThrow()
  return count
}

/** Retention of members who joined in the month that ended so many days ago. */
export async function retention(db: Db): Promise<View['retention']> {
  const { rows } = await sql<View['retention'][number]>`
    select after, count(member.id)::int as joined,
      (count(member.id) filter (where last_seen_at >= joined_at + make_interval(days => after)))::int as stayed
    from unnest(${after}::int[]) as after
    left join member on joined_at >= now() - make_interval(days => after + ${month}::int) and joined_at < now() - make_interval(days => after)
    group by after order by after`.execute(db)
  return rows
}

export async function clientsOf(db: Db, range: Range): Promise<View['clients']> {
  const rows = await db
    .selectFrom('day_client')
    .select(['kind', 'name', sql<string>`sum(views)`.as('views')])
    .where(within(range))
    .groupBy(['kind', 'name'])
    .orderBy('kind')
    .orderBy(sql`sum(views)`, 'desc')
    .orderBy(sql`name collate "C"`)
    .execute()
  return rows.map(({ views, ...row }) => ({ ...row, views: Number(views) }))
}
