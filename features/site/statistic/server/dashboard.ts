import { sql, type RawBuilder } from 'kysely'
import type { Answer, Output, ParsedInput } from '#base/contract.ts'
import { programVersion } from '#base/server/program-version.ts'
import { dayAt } from '#base/server/calendar.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import * as maintenance from '#maintenance/server/maintenance.ts'
import { threadPath } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as answerTimes from '#statistic/server/answer-times.ts'
import { topSearches } from '#statistic/server/searches.ts'
import { uncounted } from '#statistic/server/counting.ts'
import * as people from '#statistic/server/people.ts'
import { waitingFor } from '#statistic/server/waiting.ts'
import { within } from '#statistic/server/within.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { daysOf, measures, places, rangeOf, type dashboard, type pageViewList, type Range } from '#statistic/contract.ts'
import { deviceName } from '#base/device-name.ts'
import { paged } from '#base/server/database/paged.ts'

const topPages = 20

export async function show(db: Db, by: Staff, params: ParsedInput<typeof dashboard>): Promise<Answer<typeof dashboard>> {
  const { timeZone } = await setting.all(db)
  const range = rangeIn(params, dayAt(Date.now(), timeZone))
  const [counts, pages, totals, waiting, failed, searches, times, ofPeople] = await Promise.all([
    countsOf(db, range),
    topOf(db, range),
    totalsOf(db),
    waitingFor(db, by),
    failuresIn(db),
    topSearches(db, range),
    answerTimes.over(db, range, timeZone),
    peopleIn(db, range, timeZone),
  ])
  const { active, ...others } = ofPeople
  return {
    timeZone,
    days: range.isToToday ? counts.map((day) => (day.day === range.last ? { ...day, active } : day)) : counts,
    pages,
    totals,
    waiting,
    failed,
    version: programVersion,
    searches,
    times,
    ...others,
  }
}

async function failuresIn(db: Db): Promise<Answer<typeof dashboard>['failed']> {
  const [failed, { frozen, late }] = await Promise.all([maintenance.failed(db), wallet.booksState(db)])
  const [since] = late.map((one) => one.since)
  return [
    ...(frozen ? [{ kind: 'books', at: frozen.at } as const] : []),
    ...(since ? [{ kind: 'booksCheck', at: since } as const] : []),
    ...failed,
  ]
}

// A day may have begun in another time zone already.
function rangeIn(params: ParsedInput<typeof dashboard>, today: string): Range {
  const range = rangeOf(params, today)
  return range.days > 0 ? range : rangeOf({ days: 1 }, today)
}

async function peopleIn(db: Db, range: Range, timeZone: string) {
  const [active, retention, clients] = await Promise.all([
    people.activeToday(db, timeZone),
    people.retention(db),
    people.clientsOf(db, range),
  ])
  return { active, retention, clients }
}

async function countsOf(db: Db, range: Range): Promise<Output<typeof dashboard>['days']> {
  const rows = await db
    .selectFrom('day_count')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'measure', 'count'])
    .where(within(range))
    .execute()
  const known = new Map(rows.map(({ day, measure, count }) => [`${day} ${measure}`, Number(count)]))
  return daysOf(range).map((day) => {
    const counts = Object.fromEntries(measures.map((measure) => [measure, known.get(`${day} ${measure}`) ?? 0]))
    return { day, ...(counts as Record<(typeof measures)[number], number>) }
  })
}

async function topOf(db: Db, range: Range): Promise<Output<typeof dashboard>['pages']> {
  const rows = await db
    .selectFrom('day_address')
    .select(['address', sql<string>`sum(views)`.as('views')])
    .where(within(range))
    .groupBy('address')
    .orderBy(sql`sum(views)`, 'desc')
    .orderBy('address')
    .limit(2 * topPages)
    .execute()
  const ids = rows.flatMap(({ address }) => /^\/(?:thread\?topicId|question\?questionId)=(\d+)$/.exec(address)?.[1] ?? [])
  const topics = ids.length > 0 ? await db.selectFrom('topic').select(['id', 'kind', 'title']).where('id', '=', anyOf(ids)).execute() : []
  const titles = new Map(topics.map(({ id, kind, title }) => [threadPath(id, kind), title]))
  return rows
    .map(({ address, views }) => ({ address, title: titles.get(address) ?? null, views: Number(views) }))
    .filter(({ address, title }) => title !== null || isPage(address))
    .slice(0, topPages)
}

// Page views can be forged, also in days counted before paths were checked.
function isPage(address: string): boolean {
  return places.includes(address)
}

/** Sums of the daily counts, plus the posts after the cursor. */
async function totalsOf(db: Db): Promise<Output<typeof dashboard>['totals']> {
  const [rows, fresh] = await Promise.all([
    db
      .selectFrom('day_count')
      .select(['measure', sql<string>`sum(count)`.as('count')])
      .groupBy('measure')
      .execute(),
    uncounted(db),
  ])
  const known = new Map<string, number>(rows.map(({ measure, count }) => [measure, Number(count)]))
  const total = (measure: string) => (known.get(measure) ?? 0) + (fresh.get(measure) ?? 0)
  return { members: total('members'), topics: total('topics'), comments: total('comments'), replies: total('replies') }
}

const id = sql`page_view.id`
const keys = { at: { by: id, as: 'bigint' } } as const

export async function views(db: Db, params: ParsedInput<typeof pageViewList>): Promise<Answer<typeof pageViewList>> {
  const { url, ip, region, device, since, until } = params
  let query = db.selectFrom('page_view').select(['id', 'url', 'referrer', 'ip', 'region', 'device', 'user_agent', 'at'])
  if (url) query = query.where(sql<boolean>`starts_with(url, ${url})`)
  if (ip) query = query.where(sql<boolean>`host(ip) = ${ip}`)
  if (region) query = query.where(isIn(region))
  if (device) query = query.where('device', '=', device)
  if (since) query = query.where('at', '>=', new Date(since))
  if (until) query = query.where('at', '<', new Date(until))
  const page = await paged(db, query, { ...params, keys, id })
  return { ...page, rows: page.rows.map(({ user_agent, ...row }) => ({ ...row, browser: deviceName(user_agent) })) }
}

// Provinces sort right behind their country: a dot follows the hyphen in ASCII.
function isIn(region: string): RawBuilder<boolean> {
  return region === 'CN' ? sql<boolean>`region >= 'CN' and region < 'CN.'` : sql<boolean>`region = ${region}`
}
