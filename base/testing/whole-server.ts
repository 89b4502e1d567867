import { setTimeout as wait } from 'node:timers/promises'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { register } from '#account/contract.ts'
import { openApp } from '#apps/server/app.ts'
import { openStore } from '#apps/server/store.ts'
import type { RawInput } from '#base/contract.ts'
import { readConfig } from '#base/server/config.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { testKey } from '#base/testing/database.ts'
import { Person } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

type App = Visitor['app']

export type WholeServer = {
  app: App
  database: Database
  health(): Promise<{ database: string; replica: string | null }>
  /** The lines of its log with this text. */
  logged(text: string): string[]
  close(): Promise<void>
}

/** A server that opens its database as one does that operators start, with its data in the folder. */
export async function aWholeServer(folder: string, env: Record<string, string>): Promise<WholeServer> {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: dataDir, ...env }), development: false }
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const { database, close } = await openStore(config, log)
  await database.app.transaction().execute((tx) => applySettings(tx, { registerCaptcha: false, ...lenientSettings }))
  const app = await openApp({ config, database, log })
  return {
    app,
    database,
    health: async () => (await app.inject('/health')).json(),
    logged: (text) => lines.filter((line) => line.includes(text)),
    async close() {
      await app.close()
      await close()
    },
  }
}

export async function aWriter(app: App, account: string): Promise<Person> {
  const person = new Person(app)
  const registration = {
    account,
    password: person.password,
    passwordAgain: person.password,
    hintQuestion: 'Which tea in the morning?',
    hintAnswer: 'Longjing, always',
    agrees: true,
  } satisfies RawInput<typeof register>
  person.pair = await person.call(register, registration)
  return person
}

export async function isStandby(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)
  return rows[0]?.is ?? false
}

const paceMs = 1_000

type Outcome = {
  acknowledged: string[]
  stored: string[]
  /** Answers other than 200, and 429 or 503 with `Retry-After`. */ others: Set<string>
}

/**
 * Three members write during the work and a while after it. Each repeats a refused write with the same idempotency key until it
 * is acknowledged.
 */
export async function writingDuring({ app, database }: WholeServer, name: string, work: () => Promise<void>): Promise<Outcome> {
  const tagId = await aTag(database, { name })
  const writers = await Promise.all([1, 2, 3].map((n) => aWriter(app, `${name.toLowerCase()}_${n}`)))
  const outcome: Outcome = { acknowledged: [], stored: [], others: new Set() }
  const over = new AbortController()
  async function write(writer: Person, n: number): Promise<void> {
    for (let round = 0; !over.signal.aborted; round++) {
      const title = `Topic ${n} ${round}`
      const key = { 'idempotency-key': `a-key-for-${name}-${n}-${round}` }
      const send = () => writer.tryCall(publishTopic, { tagId, title, body: says('Tea.') }, key)
      for (let answer = await send(); answer.status !== 200; answer = await send()) {
        // A member may publish so many topics in a minute, and each attempt counts.
        const isExpected = [429, 503].includes(answer.status) && Number(answer.response.headers['retry-after']) > 0
        if (!isExpected) outcome.others.add(`${answer.status} ${answer.response.body}`)
        await wait(paceMs)
      }
      outcome.acknowledged.push(title)
      await wait(paceMs)
    }
  }
  const writing = Promise.all(writers.map(write))
  await until(() => outcome.acknowledged.length > 10)
  await work()
  const before = outcome.acknowledged.length
  await until(() => outcome.acknowledged.length > before + 10)
  over.abort()
  await writing
  const rows = await database.app.selectFrom('topic').select('title').where('tag_id', '=', tagId).execute()
  outcome.acknowledged.sort()
  outcome.stored = rows.map(({ title }) => title).sort()
  return outcome
}
