import { sql, type RawBuilder } from 'kysely'
import { browsers, displayNames, systems } from '#base/device-name.ts'
import { sqlDay, sqlStartOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { countSearches, pruneSearches } from '#statistic/server/searches.ts'

type Source = { name: string; measure: string; at: RawBuilder<Date>; except?: RawBuilder<boolean> }

const sources: readonly Source[] = [
  { name: 'member', measure: 'members', at: sql`joined_at` },
  { name: 'topic', measure: 'topics', at: sql`published_at` },
  // The placeholder of a moved comment is no comment.
  { name: 'comment', measure: 'comments', at: sql`published_at`, except: sql`moved_to is not null` },
  { name: 'reply', measure: 'replies', at: sql`published_at` },
  { name: 'page_view', measure: 'views', at: sql`at` },
]

const maxRowsPerRun = 100_000
const addressesKept = 200

/**
 * Adds new posts to the daily counts, from a stored cursor on. The last minute is left out, since its transactions may not all be
 * committed.
 */
export async function countDays(tx: Db): Promise<void> {
  const { timeZone } = await setting.all(tx)
  for (const source of sources) await count(tx, source, timeZone)
  await countVisitors(tx, timeZone)
  await countActive(tx, timeZone)
  await pruneAddresses(tx, timeZone)
  await pruneSearches(tx, timeZone)
}

async function count(tx: Db, { name, measure, at, except = sql`false` }: Source, timeZone: string): Promise<void> {
  const mark = await tx.selectFrom('statistics_progress').select('id').where('source', '=', name).forUpdate().executeTakeFirstOrThrow()
  const newRows = sql`(select id, ${at} as at ${name === 'page_view' ? sql`, url, user_agent` : sql``} from ${sql.table(name)} where id > ${mark.id} and not (${except}) order by id limit ${maxRowsPerRun})`
  const { rows } = await sql<{ last: string | null }>`
    select max(id) as last from ${newRows} as fresh where at < clock_timestamp() - interval '1 minute'`.execute(tx)
  const last = rows[0]?.last
  if (!last) return
  const day = sqlDay(sql`at`, timeZone)
  await sql`
    insert into day_count (day, measure, count)
    select ${day}, ${measure}, count(*) from ${newRows} as fresh where id <= ${last} group by 1
    on conflict (day, measure) do update set count = day_count.count + excluded.count`.execute(tx)
  if (name === 'page_view') {
    await countSearches(tx, { after: mark.id, upTo: last, timeZone })
    await sql`
      insert into day_address (day, address, views)
      select ${day}, ${address}, count(*) from ${newRows} as fresh where id <= ${last} group by 1, 2
      on conflict (day, address) do update set views = day_address.views + excluded.views`.execute(tx)
    await countClients(tx, { fresh: newRows, last, day })
  }
  await tx.updateTable('statistics_progress').set({ id: last }).where('source', '=', name).execute()
}

// A topic is one page, whatever the floor; on other pages the filters are dropped.
const address = sql`case when url ~ '^/thread[?].*topicId=[0-9]'
  then '/thread?topicId=' || substring(url from 'topicId=([0-9]{1,18})')
  when url ~ '^/question[?].*questionId=[0-9]'
  then '/question?questionId=' || substring(url from 'questionId=([0-9]{1,18})')
  else left(split_part(split_part(url, '?', 1), '#', 1), 200) end`

const clientOf = (names: readonly string[]) =>
  sql`case ${sql.join(
    names.map((name) => sql`when position(${name} in user_agent) > 0 then ${displayNames[name] ?? name}`),
    sql` `,
  )} else '' end`

/** Counts browsers and systems under a few names, whatever a user agent says. */
async function countClients(
  tx: Db,
  { fresh, last, day }: { fresh: RawBuilder<unknown>; last: string; day: RawBuilder<string> },
): Promise<void> {
  for (const [kind, name] of [['browser', clientOf(browsers)] as const, ['system', clientOf(systems)] as const])
    await sql`
      insert into day_client (day, kind, name, views)
      select ${day}, ${kind}, ${name}, count(*) from ${fresh} as fresh where id <= ${last} group by 1, 3
      on conflict (day, kind, name) do update set views = day_client.views + excluded.views`.execute(tx)
}

/** Posts after the cursor, by measure, up to a limit. */
export async function uncounted(db: Db): Promise<Map<string, number>> {
  const counts = await Promise.all(
    sources
      .filter(({ measure }) => measure !== 'views')
      .map(async ({ name, measure, except = sql`false` }) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from (
            select from ${sql.table(name)} where id > (select id from statistics_progress where source = ${name}) and not (${except}) limit ${maxRowsPerRun}
          ) as fresh`.execute(db)
        return [measure, rows[0]?.count ?? 0] as const
      }),
  )
  return new Map(counts)
}

/** Counts members who logged in or continued a session, once a day is over. */
async function countActive(tx: Db, timeZone: string): Promise<void> {
  const today = sqlDay(sql`now()`, timeZone)
  await sql`
    insert into day_count (day, measure, count)
    select day, 'active', (
      select count(distinct member_id) from login_log
      where at >= ${sqlStartOfDay(sql`day`, timeZone)} and at < ${sqlStartOfDay(sql`(day + 1)`, timeZone)})
    from generate_series(${today} - 7, ${today} - 1, interval '1 day') as one (moment),
      lateral (select moment::date as day) as dated
    where not exists (select from day_count as done where done.day = dated.day and done.measure = 'active')
    on conflict do nothing`.execute(tx)
}

/** Counts distinct addresses, once a day is over. */
async function countVisitors(tx: Db, timeZone: string): Promise<void> {
  await sql`
    insert into day_count (day, measure, count)
    select day, 'visitors', (
      select count(distinct ip) from page_view where at >= ${sqlStartOfDay(sql`day`, timeZone)} and at < ${sqlStartOfDay(sql`(day + 1)`, timeZone)})
    from (
      select day from day_count where measure = 'views' and day < ${sqlDay(sql`now()`, timeZone)}
      and not exists (select from day_count as done where done.day = day_count.day and done.measure = 'visitors')
      order by day desc limit 7
    ) as ended
    on conflict do nothing`.execute(tx)
}

/** Keeps the most viewed URLs of an ended day, so that made-up ones cannot fill the table. */
async function pruneAddresses(tx: Db, timeZone: string): Promise<void> {
  const today = sqlDay(sql`now()`, timeZone)
  await sql`
    delete from day_address using (
      select day, address, row_number() over (partition by day order by views desc, address) as place
      from day_address where day between ${today} - 3 and ${today} - 1
    ) as ranked
    where ranked.place > ${addressesKept} and day_address.day = ranked.day and day_address.address = ranked.address`.execute(tx)
}
