import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { auditLog, noteLogExport } from '#audit/contract.ts'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { noteFeedbackExport } from '#feedback/contract.ts'
import { health } from '#maintenance/contract.ts'
import { noteAppealExport, noteReportExport } from '#report/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { addPageView, dashboard, notePageViewExport, pageViewList } from '#statistic/contract.ts'
import { answers } from '#statistic/server/answer-times.ts'
import { countDays } from '#statistic/server/counting.ts'
import { bucketCount, bucketOf, percentile } from '#statistic/server/percentile.ts'
import { pageViews } from '#statistic/server/statistic.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  chief = await aStaffer(forum)
})

test('a failed backup is reported until one is written', async () => {
  const work = (state: 'failed' | 'done') =>
    forum.database.app.insertInto('maintenance_task').values({ kind: 'backup', state, ended_at: new Date() }).execute()
  const failures = async () => {
    const [{ failed }, { backup }] = [await chief.call(dashboard, {}), await chief.call(health, {})]
    return [failed.map(({ kind }) => kind), backup.hasFailed]
  }
  expect(await failures()).toEqual([[], false])
  await work('failed')
  expect(await failures()).toEqual([['backup'], true])
  await work('done')
  expect(await failures()).toEqual([[], false])
})

test('page views are counted by days, once, and the latest wait for the next run', async () => {
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

test('active members are counted for today and for past days, with retention', async () => {
  const { app } = forum.database
  const [old, departed] = [await forum.member(), await forum.member()]
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  for (const member_id of [old.id, departed.id])
    await app
      .updateTable('member')
      .set({ joined_at: ago(10) })
      .where('id', '=', member_id)
      .execute()
  await app
    .updateTable('member')
    .set({ last_seen_at: ago(9.5) })
    .where('id', '=', departed.id)
    .execute()
  const came = [2, 2, 3].map((days) => ({ member_id: old.id, at: ago(days), kind: 'login' as const, ip: '10.0.0.9', user_agent: '' }))
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

test('a member who was only created is not active until they log in', async () => {
  const today = async () => (await chief.call(dashboard, { days: 1 })).days.at(-1)?.active ?? 0
  const before = await today()
  const { account, password } = await aStaffer(forum)
  expect(await today()).toBe(before)
  await forum.visitor().call(login, { account, password })
  expect(await today()).toBe(before + 1)
})

test('page views are listed newest first, by address and by where they came from', async () => {
  const { rows } = await chief.call(pageViewList, { url: '/thread' })
  expect(rows.map(({ browser }) => browser)).toEqual(['Chrome, Windows', 'Chrome, Windows'])
  expect((await chief.call(pageViewList, { ip: '10.0.0.1' })).rows).toHaveLength(2)
  expect((await chief.call(auditLog, { about: 'address 10.0.0.1' })).rows).toMatchObject([{ action: 'address.find' }])
  expect((await chief.tryCall(pageViewList, { ip: 'somewhere' })).status).toBe(400)
})

test('page views are listed by kind of device and by region, of which only the country or the province is kept', async () => {
  const looks = [
    ['61.135.169.125', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1'],
    ['47.96.0.1', 'Mozilla/5.0 (Windows NT 10.0) Chrome/140'],
    ['8.8.8.8', 'Mozilla/5.0 (compatible; Googlebot/2.1)'],
  ] as const
  for (const [ip, userAgent] of looks) await Object.assign(forum.visitor({ userAgent }), { ip }).call(addPageView, { url: '/help' })
  await pageViews.write(forum.database)
  const seen = async (query: { region?: string; device?: 'phone' | 'robot' }) =>
    (await chief.call(pageViewList, { url: '/help', ...query })).rows.map(({ region, device }) => `${region} ${device}`)
  expect(await seen({})).toEqual(['US robot', 'CN-ZJ computer', 'CN-BJ phone'])
  expect(await seen({ region: 'CN' })).toEqual(['CN-ZJ computer', 'CN-BJ phone'])
  expect(await seen({ region: 'CN-BJ' })).toEqual(['CN-BJ phone'])
  expect(await seen({ device: 'robot' })).toEqual(['US robot'])
  expect((await chief.tryCall(pageViewList, { region: 'beijing' })).status).toBe(400)
})

test('a download of page views, of messages to staff, or of the log itself is logged', async () => {
  for (const call of [notePageViewExport, noteReportExport, noteAppealExport, noteFeedbackExport, noteLogExport])
    await chief.call(call, { rows: 3, asked: '?state=all' })
  const { rows } = await chief.call(auditLog, {})
  const exports = rows.filter(({ action }) => action.endsWith('.export'))
  expect(exports.map(({ action }) => action)).toEqual([
    'audit.export',
    'feedback.export',
    'appeal.export',
    'report.export',
    'pageView.export',
  ])
  expect(exports.map(({ after }) => after)).toEqual(exports.map(() => ({ rows: 3, asked: '?state=all' })))
})

test.each(['Etc/GMT+12', 'Pacific/Kiritimati'])('days are those of the site, in %s', async (timeZone) => {
  const { app } = forum.database
  const today = dayAt(Date.now(), timeZone)
  await transact(forum.database, (tx) => setting.change(tx, 'timeZone', timeZone, 'test'))
  const begun = startOfDay(today, timeZone).getTime()
  const views = [begun + 1_000, begun - 1_000].map((at) => ({ url: `/help?${timeZone}`, ip: '10.7.0.1', user_agent: '', at: new Date(at) }))
  await transact(forum.database, countDays)
  const before = await chief.call(dashboard, { days: 2 })
  await app.insertInto('page_view').values(views).execute()
  await transact(forum.database, countDays)
  await answers.write(forum.database)
  const { days, timeZone: reportedZone, times } = await chief.call(dashboard, { days: 2 })
  expect([reportedZone, ...days.map(({ day }) => day)]).toEqual([timeZone, addDays(today, -1), today])
  const [yesterday, more] = days.map(({ views }, place) => views - (before.days[place]?.views ?? 0))
  expect(yesterday).toBe(1)
  // Just published posts are included.
  expect(more).toBeGreaterThan(0)
  expect(times.points[0]?.at).toBe(`${addDays(today, -1)} 00:00`)
  expect(times.answers).toBeGreaterThan(0)
  expect((await chief.call(dashboard, { from: today })).days.map(({ day }) => day)).toEqual([today])
  await transact(forum.database, (tx) => setting.change(tx, 'timeZone', 'Asia/Shanghai', 'test'))
})

test('words searched by several people are shown, each person counted once a day, and those of one person are not', async () => {
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

test('response times are shown by hours for a week and by days beyond', async () => {
  await forum.visitor().call(addPageView, { url: '/index' })
  await answers.write(forum.database)
  const [hours, days] = [await chief.call(dashboard, { days: 7 }), await chief.call(dashboard, { days: 30 })]
  expect(hours.times.points[0]?.at).toBe(`${hours.days[0]?.day} 00:00`)
  expect(days.times.points.map(({ at }) => at)).toEqual(days.days.map(({ day }) => day))
  expect(hours.times.answers).toBeGreaterThan(0)
  expect(days.times.points.at(-1)?.most).toBeGreaterThanOrEqual(days.times.points.at(-1)?.half ?? 0)
  expect(days.times.points.at(-1)?.most).toBeGreaterThan(0)
  const before = hours.times.answers
  await answers.write(forum.database)
  await answers.write(forum.database)
  expect((await chief.call(dashboard, { days: 7 })).times.answers).toBeGreaterThan(before)
})

test('a chosen range ends today at the latest, is not too long, and does not end before it begins', async () => {
  const day = (ago: number) => addDays(dayAt(Date.now(), 'Asia/Shanghai'), -ago)
  const { days, times } = await chief.call(dashboard, { from: day(9), to: day(5) })
  expect(days.map((one) => one.day)).toEqual([9, 8, 7, 6, 5].map(day))
  expect(times.points.map(({ at }) => at)).toEqual([9, 8, 7, 6, 5].map(day))
  expect((await chief.call(dashboard, { from: day(1), to: day(-3) })).days.map((one) => one.day)).toEqual([day(1), day(0)])
  expect((await chief.call(dashboard, { to: day(400) })).days).toHaveLength(30)
  for (const range of [{ from: day(1), to: day(2) }, { from: day(-2) }, { from: '0001-01-01' }, { from: 'yesterday' }])
    expect((await chief.tryCall(dashboard, range)).status).toBe(400)
  for (const [period, named] of [
    [{ days: 100_000 }, 'days'],
    [{ days: -1 }, 'days'],
    [{ from: day(1), to: day(2) }, 'to'],
    [{ from: '0001-01-01' }, 'from'],
  ] as const)
    expect((await chief.tryCall(dashboard, period)).response.json().message).toContain(` ${named}: `)
})

test('the median and a high percentile are estimated from buckets', () => {
  const counts = Array.from({ length: bucketCount }, () => 0)
  expect(percentile(counts, 0.5)).toBe(0)
  for (const ms of [4, 4, 4, 4, 4, 4, 4, 4, 4, 90]) counts[bucketOf(ms)]! += 1
  expect(percentile(counts, 0.5)).toBeGreaterThan(3)
  expect(percentile(counts, 0.5)).toBeLessThanOrEqual(5)
  expect(percentile(counts, 0.95)).toBeGreaterThan(75)
  expect(percentile(counts, 0.95)).toBeLessThanOrEqual(100)
  expect(bucketOf(60_000)).toBe(bucketCount - 1)
})
