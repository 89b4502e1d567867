import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import * as token from '#account/server/token.ts'
import { threadPath } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'

/** The addresses for submitting new pages. */
export type EngineUrls = { indexNow: string; baidu: string }

const engineUrls: EngineUrls = { indexNow: 'https://api.indexnow.org/indexnow', baidu: 'http://data.zz.baidu.com/urls' }
const maxUrls = 1_000
const dayMs = 86_400_000

const engines = ['indexNow', 'baidu'] as const
type Engine = (typeof engines)[number]

/**
 * Submits new public topics to IndexNow and Baidu every ten minutes, each if staff have set its key, and each independently. Submits
 * nothing while the site's address is not set. The time of the last submission is stored for all processes; a new engine gets the last day.
 */
export function announceJob(publicUrl: string | null, at = engineUrls): Job {
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
          if (!keys[engine]) return clearAnnouncedUntil(database.app, engine)
          const topics = await announce(database, engine, { site, key: keys[engine], urls: at })
          if (topics > 0) log.info({ engine, topics }, 'A search engine was told of new topics')
        }),
      )
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}

type Submission = { site: URL; key: string; urls: EngineUrls }

/** Returns the number of topics submitted. */
async function announce(database: Database, engine: Engine, submission: Submission): Promise<number> {
  const now = new Date()
  const addresses = await newSince(database, await announcedUntil(database.app, engine), submission.site.origin)
  if (addresses.length > 0) await submit[engine](addresses, submission)
  await setAnnouncedUntil(database.app, engine, now)
  return addresses.length
}

async function announcedUntil(db: Db, engine: Engine): Promise<Date> {
  const row = await db.selectFrom('index_now_state').select('until').where('engine', '=', engine).executeTakeFirst()
  return row?.until ?? new Date(Date.now() - dayMs)
}

async function setAnnouncedUntil(db: Db, engine: Engine, until: Date): Promise<void> {
  await db
    .insertInto('index_now_state')
    .values({ engine, until })
    .onConflict((there) => there.column('engine').doUpdateSet({ until }))
    .execute()
}

async function clearAnnouncedUntil(db: Db, engine: Engine): Promise<void> {
  await db.deleteFrom('index_now_state').where('engine', '=', engine).execute()
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
    .limit(maxUrls)
    .execute()
}

const submit: Record<Engine, (addresses: string[], submission: Submission) => Promise<void>> = {
  indexNow: (addresses, { site: { host, origin }, key, urls }) => {
    const body = JSON.stringify({ host, key, keyLocation: `${origin}/indexnow.txt`, urlList: addresses })
    return post(urls.indexNow, 'application/json; charset=utf-8', body)
  },
  baidu: (addresses, { site: { origin }, key, urls }) =>
    post(`${urls.baidu}?site=${origin}&token=${key}`, 'text/plain', addresses.join('\n')),
}

async function post(address: string, type: string, body: string): Promise<void> {
  const url = new URL(address)
  const { status } = await fetchConfigured(url, { method: 'POST', headers: { 'content-type': type }, body, maxBytes: 100_000 })
  if (status >= 300) throw new Error(`${url.host} answered ${status} to new addresses`)
}
