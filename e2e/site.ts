import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import * as token from '#account/server/token.ts'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend } from '#apps/server/frontend.ts'
import { readConfig, type ObjectStore } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { invalidatedBy } from '#base/server/cache/invalidation.ts'
import { openDatabase, transact, type Database, type Db } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { sampleDatabase } from '#base/testing/sample.ts'
import { addFirstStaff } from '#database/seed.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { databaseLine, type DatabaseLine } from './database-line.ts'
import { writeStorage, browserPool, type BrowserPool } from './browser-pool.ts'
import { countRequests } from './idle.ts'
import { slowLine } from './slow-line.ts'
import { closeContexts, openBrowser } from '../tools/browser.ts'

export type Visit = {
  language?: 'zh' | 'en'
  theme?: 'light' | 'dark'
  width?: 'phone' | 'desktop'
  javaScript?: boolean
  /** The account that is logged in; a visitor if undefined. */
  as?: string
  /** Initial local storage. */
  storage?: Record<string, string>
  /** A new browser with an empty cache. Also for tests that add scripts to its pages, because those cannot be removed. */
  isNew?: boolean
}

export type BrowserVisit = {
  page: Page
  context: BrowserContext
  /** Errors in the browser's console, including violations of the content security policy. */
  complaints: string[]
}

export type Site = {
  url: string
  database: Database
  /** The database address of the operator's tools. */
  ownerUrl: string
  dataDir: string
  /** The proxy between the forum and its database. */
  line: DatabaseLine
  /** Opens a browser of its own. */
  visit(as?: Visit): Promise<BrowserVisit>
  /** The id of the sample topic with this beginning of its title. */
  topic(title: string): Promise<string>
  change<Name extends SettingName>(name: Name, value: Settings[Name]): Promise<void>
  /** Writes like the forum, including invalidation. */
  write<T>(action: (tx: Db) => Promise<T>): Promise<T>
}

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

type SiteOptions = {
  sample?: boolean
  isQuiet?: boolean
  /** Hears what other processes and the database itself invalidate. */ listens?: boolean
  /** The store for uploaded files. */ store?: ObjectStore | null
}

/** The whole built forum with its sample community on a port of its own, and a real browser. */
export async function builtForum({ sample = true, isQuiet = false, listens = false, store = null }: SiteOptions = {}): Promise<Site> {
  const planted = sample ? await sampleDatabase() : null
  const { database, ownerUrl, close } = planted ?? (await freshDatabase())
  const line = await databaseLine(ownerUrl)
  const farDatabase = openDatabase(addressesOf(line.url), { features, size: 12, idleMs: 5_000, onLost: () => undefined })
  if (listens) await farDatabase.invalidations.listen(() => undefined)
  const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-site-'))
  const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: dataDir, TEAHOUSE_SAMPLE: '0' }), development: false, store }
  if (planted) cpSync(planted.dataDir, dataDir, { recursive: true })
  else await addFirstStaff(database)
  await database.app.transaction().execute((tx) => applySettings(tx, lenientSettings))
  const app = await openApp({
    config,
    database: farDatabase,
    log: pino({ level: isQuiet ? 'silent' : 'error' }),
    openFrontend: builtFrontend,
    checked: true,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await openBrowser()
  const pool = browserPool(browser)
  afterAll(async () => {
    pool.end()
    await closeContexts(browser)
    await app.close()
    await farDatabase.close()
    await line.cut()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function topic(title: string): Promise<string> {
    return (await database.app.selectFrom('topic').select('id').where('title', 'like', `${title}%`).executeTakeFirstOrThrow()).id
  }

  async function change<Name extends SettingName>(name: Name, value: Settings[Name]): Promise<void> {
    await write((tx) => setting.change(tx, name, value, 'test'))
  }

  async function write<T>(action: (tx: Db) => Promise<T>): Promise<T> {
    const { result, tags } = await transact(farDatabase, async (tx) => ({ result: await action(tx), tags: invalidatedBy(tx) }))
    // The test's own connection is a program of its own.
    database.invalidations.announce(tags)
    return result
  }

  return { url, database, ownerUrl, dataDir, line, topic, change, write, visit: (as = {}) => visit({ url, database, pool }, as) }
}

type SiteContext = { url: string; database: Database; pool: BrowserPool }

async function visit({ url, database, pool }: SiteContext, as: Visit): Promise<BrowserVisit> {
  const { language = 'zh', theme = 'light', width = 'desktop', javaScript = true, storage = {}, isNew = false } = as
  const code = language === 'zh' ? 'zh-CN' : 'en-US'
  const pair = as.as && (await session(database, as.as))
  // A login leaves both: the sample has an assistant.
  const storageItems = { ...storage, ...(pair && { bbsToken: JSON.stringify(pair), assistant: '1' }) }
  const { context, page } = await pool.take(
    {
      baseURL: url,
      viewport: sizes[width],
      colorScheme: theme,
      locale: code,
      javaScriptEnabled: javaScript,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(width === 'phone' && { hasTouch: true, isMobile: true, userAgent: phone }),
    },
    isNew,
  )
  await slowLine(context)
  await context.addCookies([{ name: 'language', value: code.replace('-', '_'), url }])
  if (Object.keys(storageItems).length > 0) await writeStorage(page, storageItems)
  countRequests(context)
  return { page, context, complaints: complaintsOf(page) }
}

const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** Chromium reports a policy violation as a console error. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

async function session(database: Database, account: string): Promise<token.Pair> {
  const from = {
    origin: '',
    ip: '127.0.0.1',
    isLocal: false,
    language: 'en' as const,
    userAgent: 'another device',
    authorization: undefined,
    csrf: '',
  }
  return transact(database, async (tx) => {
    const { id } = await tx.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()
    return token.createSession(tx, id, from)
  })
}
