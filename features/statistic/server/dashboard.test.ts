import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { dashboard, pageViewList } from '#statistic/contract.ts'
import { countDays } from '#statistic/server/counting.ts'
import { aTag } from '#tag/server/example.ts'
import { aTopic } from '#topic/server/example.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
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
  expect(pages).toEqual([
    { address: '/index', title: null, views: 2 },
    { address: `/thread?topicId=${topic}`, title: '最常看的一篇', views: 2 },
  ])
})

test('page views are listed newest first, by address and by where they came from', async () => {
  const { rows } = await chief.call(pageViewList, { url: '/thread' })
  expect(rows.map(({ device }) => device)).toEqual(['Chrome, Windows', 'Chrome, Windows'])
  expect((await chief.call(pageViewList, { ip: '10.0.0.1' })).rows).toHaveLength(2)
  expect((await chief.tries(pageViewList, { ip: 'somewhere' })).status).toBe(400)
})
