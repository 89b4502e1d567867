import { pino } from 'pino'
import type { Log } from '#base/server/log.ts'
import { inject } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { aMember } from '#account/testing/factories.ts'
import { readConfig, type ObjectStore } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase, testKey, type TestDatabase } from '#base/testing/database.ts'
import { withSecondServer, sharedEnv } from '#base/testing/second-server.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { Visitor, type Language } from '#base/testing/visitor.ts'
import * as setting from '#setting/server/setting.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class Person extends Visitor {
  id = ''
  account = ''
  readonly password = 'a-quiet-evening'
}

export type Forum = {
  app: Awaited<ReturnType<typeof openApp>>
  database: Database
  ownerUrl: string
  dataDir: string
  visitor(as?: { language?: Language; userAgent?: string }): Visitor
  /** A newly registered, logged-in member, as a row and a token. */
  member(account?: string): Promise<Person>
}

/** Server-rendered pages without their assets. */
export const renderedFrontend: NonNullable<Parameters<typeof openApp>[0]['openFrontend']> = async () => {
  const files = { scripts: [], styles: [], preloads: [], theme: '', asPhone: '' }
  return { program: () => import('#apps/web/server.tsx'), filesFor: () => files, filesForStaff: () => files }
}

let members = 0

type ForumOptions = {
  openFrontend?: Parameters<typeof openApp>[0]['openFrontend']
  store?: ObjectStore | null
  searchUrl?: string | null
  fresh?: () => Promise<TestDatabase>
  env?: Record<string, string>
  log?: Log
  /** The test inspects the memory of one process: with SERVERS=2 it still uses one server. */
  isOneServer?: boolean
}

/** A forum for one test file, without sample content unless `fresh` adds it, closed at the end of the file. */
export async function aForum({
  openFrontend,
  store = null,
  searchUrl = null,
  fresh = freshDatabase,
  env = {},
  log = pino({ level: 'silent' }),
  isOneServer = false,
}: ForumOptions = {}): Promise<Forum> {
  // Objects in memory cannot be shared with another process.
  const isShared = inject('database').replica !== null && !isOneServer && fresh === freshDatabase && !store && !searchUrl
  const { database: own, ownerUrl, close } = await (isShared ? freshDatabase({ isReplicated: true }) : fresh())
  const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-forum-'))
  const its = { database: own, ownerUrl, dataDir, env: { ...(isShared && sharedEnv(ownerUrl)), ...env } }
  const config = {
    ...readConfig({ TEAHOUSE_KEY: testKey, ...its.env, TEAHOUSE_DATA: dataDir }),
    development: false,
    store,
    searchUrl,
  }
  await own.app.transaction().execute(async (tx) => {
    await applySettings(tx, { registerCaptcha: false, ...lenientSettings })
    if (store) await setting.change(tx, 'fileStorageSystem', 20, 'test')
  })
  // Write-behind buffers belong to the process: a forum only flushes when a test says so, so that none writes another's counts.
  const parts = { config, database: own, log, checked: true, gatherSeconds: 3_600 }
  const first = await openApp({ ...parts, ...(openFrontend && { openFrontend }) })
  const {
    app,
    database,
    close: closeOther,
  } = isShared ? await withSecondServer(first, its) : { app: first, database: own, close: async () => undefined }
  afterFile(async () => {
    await closeOther()
    await first.close()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function member(account = `guest_${++members}`): Promise<Person> {
    const person = Object.assign(new Person(app), { account })
    await person.fetchToken()
    return Object.assign(person, await aMember(database, person))
  }

  return { app, database, ownerUrl, dataDir, member, visitor: (as) => new Visitor(app, as) }
}
