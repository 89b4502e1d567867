import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { askNamed } from '#base/server/outbound/safe-fetch.ts'
import * as token from '#account/server/token.ts'
import { threadPath } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'

/** The addresses for submitting new pages. */
export type Desks = { indexNow: string; baidu: string }

const desks: Desks = { indexNow: 'https://api.indexnow.org/indexnow', baidu: 'http://data.zz.baidu.com/urls' }
const mostAtOnce = 1_000
const dayMs = 86_400_000

const engines = ['indexNow', 'baidu'] as const
type Engine = (typeof engines)[number]

/**
 * Submits new public topics to IndexNow and Baidu every ten minutes, each if staff have set its key, and each independently. Submits
 * nothing while the site's address is not set. The time of the last submission is stored for all processes; a new engine gets the last day.
 */
export function announcing(publicUrl: string | null, at = desks): Job {
  return {
    name: 'announce-topics',
    cron: '*/10 * * * *',
    async run({ database, log }) {
      if (!publicUrl) return
      const site = new URL(publicUrl)
      const { indexNowKey: indexNow } = await setting.all(database.reader)
      const keys = { indexNow, baidu: await setting.unsealed(database.app, 'baiduToken') }
      const outcomes = await Promise.allSettled(
        engines.map(async (engine) => {
          if (!keys[engine]) return forget(database.app, engine)
          const topics = await announce(database, engine, { site, key: keys[engine], at })
          if (topics > 0) log.info({ engine, topics }, 'A search engine was told of new topics')
        }),
      )
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}

type Way = { site: URL; key: string; at: Desks }

/** Returns the number of topics submitted. */
async function announce(database: Database, engine: Engine, way: Way): Promise<number> {
  const now = new Date()
  const addresses = await newSince(database, await toldUntil(database.app, engine), way.site.origin)
  if (addresses.length > 0) await tell[engine](addresses, way)
  await keepToldUntil(database.app, engine, now)
  return addresses.length
}

async function toldUntil(db: Db, engine: Engine): Promise<Date> {
  const row = await db.selectFrom('told_engines').select('until').where('engine', '=', engine).executeTakeFirst()
  return row?.until ?? new Date(Date.now() - dayMs)
}

async function keepToldUntil(db: Db, engine: Engine, until: Date): Promise<void> {
  await db
    .insertInto('told_engines')
    .values({ engine, until })
    .onConflict((there) => there.column('engine').doUpdateSet({ until }))
    .execute()
}

async function forget(db: Db, engine: Engine): Promise<void> {
  await db.deleteFrom('told_engines').where('engine', '=', engine).execute()
}

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

const tell: Record<Engine, (addresses: string[], way: Way) => Promise<void>> = {
  indexNow: (addresses, { site: { host, origin }, key, at }) => {
    const body = JSON.stringify({ host, key, keyLocation: `${origin}/indexnow.txt`, urlList: addresses })
    return post(at.indexNow, 'application/json; charset=utf-8', body)
  },
  baidu: (addresses, { site: { origin }, key, at }) => post(`${at.baidu}?site=${origin}&token=${key}`, 'text/plain', addresses.join('\n')),
}

async function post(address: string, type: string, body: string): Promise<void> {
  const desk = new URL(address)
  const { status } = await askNamed(desk, { method: 'POST', headers: { 'content-type': type }, body, mostBytes: 100_000 })
  if (status >= 300) throw new Error(`${desk.host} answered ${status} to new addresses`)
}
