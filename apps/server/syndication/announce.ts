import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database.ts'
import type { Job } from '#base/server/jobs.ts'
import { askNamed } from '#base/server/safe-fetch.ts'
import * as token from '#account/server/token.ts'
import { threadPath } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'

/** Where search engines are told of new pages. */
export type Desks = { indexNow: string; baidu: string }

const desks: Desks = { indexNow: 'https://api.indexnow.org/indexnow', baidu: 'http://data.zz.baidu.com/urls' }
const mostAtOnce = 1_000
const dayMs = 86_400_000

/**
 * Tells search engines of new topics that everybody may read, every ten minutes: those of IndexNow, and Baidu, each where staff have set
 * its key. Nothing is told while the site's own address is not set. Until when they were told is kept for all processes; who never was hears
 * of the last day.
 */
export function announcing(publicUrl: string | null, at = desks): Job {
  return {
    name: 'announce-topics',
    cron: '*/10 * * * *',
    async run({ database, log }) {
      if (!publicUrl) return
      const { indexNowKey } = await setting.all(database.reader)
      const keys = { indexNowKey, baiduToken: await setting.unsealed(database.reader, 'baiduToken') }
      if (!keys.indexNowKey && !keys.baiduToken) return
      const now = new Date()
      const since = await toldUntil(database.app)
      const addresses = await newSince(database, since, publicUrl)
      if (addresses.length > 0) await tell(addresses, new URL(publicUrl), keys, at)
      await keepToldUntil(database.app, now)
      if (addresses.length > 0) log.info({ topics: addresses.length }, 'Search engines were told of new topics')
    },
  }
}

async function toldUntil(db: Db): Promise<Date> {
  const row = await db.selectFrom('told_engines').select('until').executeTakeFirst()
  return row?.until ?? new Date(Date.now() - dayMs)
}

async function keepToldUntil(db: Db, until: Date): Promise<void> {
  await db
    .insertInto('told_engines')
    .values({ until })
    .onConflict((there) => there.column('is_only').doUpdateSet({ until }))
    .execute()
}

type Keys = { indexNowKey: string; baiduToken: string }

async function newSince({ app, primaryReader: reader }: Database, since: Date, origin: string): Promise<string[]> {
  const visitor = await token.visitor(app)
  const rows = await newest(reader, visitor.where('tag.view'), since)
  return rows.map(({ id, kind }) => origin + threadPath(id, kind))
}

function newest(db: Db, scope: Parameters<typeof tag.within>[0], since: Date) {
  return db
    .selectFrom('topic')
    .select(['id', 'kind'])
    .where('published_at', '>', since)
    .where('status', '=', 'published')
    .where(tag.within(scope))
    .orderBy('published_at', 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(mostAtOnce)
    .execute()
}

async function tell(addresses: string[], { host, origin }: URL, { indexNowKey, baiduToken }: Keys, at: Desks): Promise<void> {
  if (indexNowKey) {
    const body = JSON.stringify({ host, key: indexNowKey, keyLocation: `${origin}/indexnow.txt`, urlList: addresses })
    await post(at.indexNow, 'application/json; charset=utf-8', body)
  }
  if (baiduToken) await post(`${at.baidu}?site=${origin}&token=${baiduToken}`, 'text/plain', addresses.join('\n'))
}

async function post(address: string, type: string, body: string): Promise<void> {
  const desk = new URL(address)
  const { status } = await askNamed(desk, { method: 'POST', headers: { 'content-type': type }, body, mostBytes: 100_000 })
  if (status >= 300) throw new Error(`${desk.host} answered ${status} to new addresses`)
}
