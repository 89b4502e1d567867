import { sql } from 'kysely'
import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import * as feedback from '#feedback/server/feedback.ts'
import * as maintenance from '#maintenance/server/maintenance.ts'
import * as report from '#report/server/report.ts'
import * as review from '#review/server/review.ts'
import * as answerTimes from '#statistic/server/answer-times.ts'
import { topSearches } from '#statistic/server/searches.ts'
import { uncounted } from '#statistic/server/counting.ts'
import * as people from '#statistic/server/people.ts'
import { measures, places, type dashboard, type pageViewList } from '#statistic/contract.ts'
import { deviceName } from '#base/device-name.ts'
import { paged } from '#base/server/paged.ts'

const topPages = 20

export async function show(db: Db, { days }: Taken<typeof dashboard>): Promise<Output<typeof dashboard>> {
  const [counts, pages, totals, waiting, failed, searches, times, ofPeople] = await Promise.all([
    countsOf(db, days),
    topOf(db, days),
    totalsOf(db),
    waitingFor(db),
    maintenance.failed(db),
    topSearches(db, days),
    answerTimes.over(db, days),
    peopleIn(db, days),
  ])
  const { active, ...others } = ofPeople
  return {
    days: counts.map((day, place) => (place === days - 1 ? { ...day, active } : day)),
    pages,
    totals,
    waiting,
    failed,
    searches,
    times,
    ...others,
  }
}

async function peopleIn(db: Db, days: number) {
  const [active, retention, clients] = await Promise.all([people.activeToday(db), people.retention(db), people.clientsOf(db, days)])
  return { active, retention, clients }
}

async function waitingFor(db: Db): Promise<Output<typeof dashboard>['waiting']> {
  const [reviews, { cases, appeals }, letters] = await Promise.all([review.waiting(db), report.waiting(db), feedback.waiting(db)])
  return { reviews, reports: cases, appeals, feedback: letters }
}

async function countsOf(db: Db, days: number): Promise<Output<typeof dashboard>['days']> {
  const rows = await db
    .selectFrom('day_count')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'measure', 'count'])
    .where('day', '>', sql<Date>`(now() at time zone 'UTC')::date - ${days}::int`)
    .execute()
  const known = new Map(rows.map(({ day, measure, count }) => [`${day} ${measure}`, Number(count)]))
  const today = Math.floor(Date.now() / 86_400_000)
  return Array.from({ length: days }, (_, place) => {
    const day = new Date((today - days + 1 + place) * 86_400_000).toISOString().slice(0, 10)
    const counts = Object.fromEntries(measures.map((measure) => [measure, known.get(`${day} ${measure}`) ?? 0]))
    return { day, ...(counts as Record<(typeof measures)[number], number>) }
  })
}

async function topOf(db: Db, days: number): Promise<Output<typeof dashboard>['pages']> {
  const rows = await db
    .selectFrom('day_address')
    .select(['address', sql<string>`sum(views)`.as('views')])
    .where('day', '>', sql<Date>`(now() at time zone 'UTC')::date - ${days}::int`)
    .groupBy('address')
    .orderBy(sql`sum(views)`, 'desc')
    .orderBy('address')
    .limit(2 * topPages)
    .execute()
  const ids = rows.flatMap(({ address }) => /^\/thread\?topicId=(\d+)$/.exec(address)?.[1] ?? [])
  const topics = ids.length > 0 ? await db.selectFrom('topic').select(['id', 'title']).where('id', 'in', ids).execute() : []
  const titles = new Map(topics.map(({ id, title }) => [`/thread?topicId=${id}`, title]))
  return rows
    .map(({ address, views }) => ({ address, title: titles.get(address) ?? null, views: Number(views) }))
    .filter(({ address, title }) => title !== null || isThere(address))
    .slice(0, topPages)
}

// Anybody may say that they looked somewhere, also for days that were counted before only places counted.
function isThere(address: string): boolean {
  return places.includes(address)
}

/** Kept by the days, with what came since the last look. */
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

export async function views(db: Db, asked: Taken<typeof pageViewList>): Promise<Output<typeof pageViewList>> {
  const { url, ip, since, until } = asked
  let query = db.selectFrom('page_view').select(['id', 'url', 'referrer', 'ip', 'user_agent', 'at'])
  if (url) query = query.where(sql<boolean>`starts_with(url, ${url})`)
  if (ip) query = query.where(sql<boolean>`host(ip) = ${ip}`)
  if (since) query = query.where('at', '>=', new Date(since))
  if (until) query = query.where('at', '<', new Date(until))
  const page = await paged(db, query, { ...asked, keys, id })
  return {
    ...page,
    rows: page.rows.map(({ user_agent, at, ...row }) => ({ ...row, device: deviceName(user_agent), at: at.toISOString() })),
  }
}
