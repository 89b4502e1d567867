import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { health } from '#maintenance/contract.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { addPageView, dashboard, pageViewList } from '#statistic/contract.ts'
import { answers } from '#statistic/server/answer-times.ts'
import { countDays } from '#statistic/server/counting.ts'
import { bucketCount, bucketOf, percentile } from '#statistic/server/percentile.ts'
import { aTag } from '#tag/server/example.ts'
import { aTopic } from '#topic/server/example.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

test('a backup that failed is told of until one is written', async () => {
  const work = (state: 'failed' | 'done') =>
    forum.database.app.insertInto('maintenance_work').values({ kind: 'backup', state, ended_at: new Date() }).execute()
  const told = async () => {
    const [{ failed }, { backup }] = [await chief.call(dashboard, {}), await chief.call(health, {})]
    return [failed.map(({ kind }) => kind), backup.hasFailed]
  }
  expect(await told()).toEqual([[], false])
  await work('failed')
  expect(await told()).toEqual([['backup'], true])
  await work('done')
  expect(await told()).toEqual([[], false])
})

test('what came is counted by days, once, and what came just now waits for the next look', async () => {
  const { app } = forum.database
  const mei = await forum.member()
  const topic = await aTopic(mei, await aTag(forum.database), { title: '最常看的一篇' })
  const views = ['/index', `/thread?topicId=${topic}&page=2`, `/thread?topicId=${topic}#7`, '/index?page=3'].map((url, place) => ({
    url,
    ip: `10.0.0.${place % 2}`,
    user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140',
    at: new Date(Date.now() - 26 * 3_600_000),
  }))
  await app.insertInto('page_view').values(views).execute()
  await app.insertInto('page_view').values({ url: '/fresh', user_agent: '', at: new Date() }).execute()
  await app
    .updateTable('topic')
    .set({ published_at: sql`now() - interval '26 hours'` })
    .execute()
  for (let look = 0; look < 3; look++) await transact(forum.database, countDays)

  const { days, pages } = await chief.call(dashboard, { days: 7 })
  expect(days).toHaveLength(7)
  const sum = (measure: 'views' | 'visitors' | 'topics') => days.reduce((all, day) => all + day[measure], 0)
  expect([sum('views'), sum('visitors'), sum('topics')]).toEqual([4, 2, 1])
  const { clients, totals, retention } = await chief.call(dashboard, { days: 7 })
  expect(clients).toEqual([
    { kind: 'browser', name: 'Chrome', views: 4 },
    { kind: 'system', name: 'Windows', views: 4 },
  ])
  expect(retention).toEqual([1, 7, 30].map((after) => ({ after, joined: 0, stayed: 0 })))
  expect(totals).toMatchObject({ topics: 1 })
  expect(pages).toEqual([
    { address: '/index', title: null, views: 2 },
    { address: `/thread?topicId=${topic}`, title: '最常看的一篇', views: 2 },
  ])
})

test('members who came are told of today and of days that are over, and who stayed', async () => {
  const { app } = forum.database
  const [old, gone] = [await forum.member(), await forum.member()]
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  for (const member_id of [old.id, gone.id])
    await app
      .updateTable('member')
      .set({ joined_at: ago(10) })
      .where('id', '=', member_id)
      .execute()
  await app
    .updateTable('member')
    .set({ last_seen_at: ago(9.5) })
    .where('id', '=', gone.id)
    .execute()
  const came = [2, 2, 3].map((days) => ({ member_id: old.id, at: ago(days), kind: 'login' as const, ip: '10.0.0.9' }))
  await app.insertInto('login_log').values(came).execute()
  await app.deleteFrom('day_count').where('measure', '=', 'active').execute()
  await transact(forum.database, countDays)
  const { days, retention, totals } = await chief.call(dashboard, { days: 7 })
  expect(days.map(({ active }) => active).slice(3, 6)).toEqual([1, 1, 0])
  expect(days.at(-1)?.active).toBeGreaterThan(0)
  expect(retention).toEqual([
    { after: 1, joined: 2, stayed: 1 },
    { after: 7, joined: 2, stayed: 1 },
    { after: 30, joined: 0, stayed: 0 },
  ])
  expect(totals.members).toBe((await app.selectFrom('member').select('id').execute()).length)
})

test('page views are listed newest first, by address and by where they came from', async () => {
  const { rows } = await chief.call(pageViewList, { url: '/thread' })
  expect(rows.map(({ device }) => device)).toEqual(['Chrome, Windows', 'Chrome, Windows'])
  expect((await chief.call(pageViewList, { ip: '10.0.0.1' })).rows).toHaveLength(2)
  expect((await chief.call(auditLog, { about: 'address 10.0.0.1' })).rows).toMatchObject([{ deed: 'address.find' }])
  expect((await chief.tries(pageViewList, { ip: 'somewhere' })).status).toBe(400)
})

test('what several people searched for is shown, each of them counted once a day, and nothing that one person alone did', async () => {
  const search = (ip: string, keyword: string, page = 1) => ({
    url: `/search?${new URLSearchParams({ keyword, page: String(page) })}`,
    ip,
    user_agent: '',
    at: new Date(Date.now() - 120_000),
  })
  const views = [
    ...['10.1.0.1', '10.1.0.2', '10.1.0.3'].map((ip) => search(ip, ' Green  TEA ')),
    search('10.1.0.3', 'green tea', 2),
    search('10.1.0.1', '龙井'),
    search('10.1.0.2', '龙井'),
    ...['10.1.0.1', '10.1.0.2', '10.1.0.3'].map((ip) => search(ip, 'mei@example.org')),
    ...['10.1.0.1', '10.1.0.2', '10.1.0.3'].map((ip) => search(ip, '138 0013 8000')),
  ]
  await forum.database.app.insertInto('page_view').values(views).execute()
  for (let look = 0; look < 2; look++) await transact(forum.database, countDays)
  expect((await chief.call(dashboard, { days: 7 })).searches).toEqual([{ words: 'green tea', people: 3 }])

  await forum.database.app
    .updateTable('day_search')
    .set({ day: sql`day - 1` })
    .execute()
  await forum.database.app
    .updateTable('day_searcher')
    .set({ day: sql`day - 1` })
    .execute()
  await transact(forum.database, countDays)
  expect(await forum.database.app.selectFrom('day_searcher').select('words').execute()).toEqual([])
  expect(await forum.database.app.selectFrom('day_search').select('words').execute()).toEqual([{ words: 'green tea' }])
})

test('how long answers took is told by hours for a week and by days beyond', async () => {
  await forum.visitor().call(addPageView, { url: '/index' })
  await answers.write(forum.database)
  const [hours, days] = [await chief.call(dashboard, { days: 7 }), await chief.call(dashboard, { days: 30 })]
  expect([hours.times.points.length, days.times.points.length]).toEqual([168, 30])
  expect(hours.times.answers).toBeGreaterThan(0)
  expect(days.times.points.at(-1)?.most).toBeGreaterThanOrEqual(days.times.points.at(-1)?.half ?? 0)
  expect(days.times.points.at(-1)?.most).toBeGreaterThan(0)
  const before = hours.times.answers
  await answers.write(forum.database)
  await answers.write(forum.database)
  expect((await chief.call(dashboard, { days: 7 })).times.answers).toBeGreaterThan(before)
})

test('half and nearly all are told from buckets', () => {
  const counts = Array.from({ length: bucketCount }, () => 0)
  expect(percentile(counts, 0.5)).toBe(0)
  for (const ms of [4, 4, 4, 4, 4, 4, 4, 4, 4, 90]) counts[bucketOf(ms)]! += 1
  expect(percentile(counts, 0.5)).toBeGreaterThan(3)
  expect(percentile(counts, 0.5)).toBeLessThanOrEqual(5)
  expect(percentile(counts, 0.95)).toBeGreaterThan(75)
  expect(percentile(counts, 0.95)).toBeLessThanOrEqual(100)
  expect(bucketOf(60_000)).toBe(bucketCount - 1)
})
