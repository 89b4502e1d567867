import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { shutDown } from '#apps/server/shutdown.ts'
import { readConfig } from '#base/server/config.ts'
import { isBlocked, stateOf } from '#base/server/database/commit-watch.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { until } from '#base/testing/waits.ts'

test('/health and /health/live answer 503 while a server drains, and /health alone while its database is away', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const config = { ...readConfig({ TEAHOUSE_KEY: testKey }), development: false }
  const app = await openApp({ config, database, log: pino({ level: 'silent' }) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (path: string) => {
    const answer = await fetch(url + path)
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  await until(async () => (await fetch(`${url}/health`)).status === 200)
  expect(await ask('/health/live')).toEqual({ status: 200, process: 'up' })

  const name = new URL(ownerUrl).pathname.slice(1)
  const owner = new pg.Client({ connectionString: ownerUrl.replace(`/${name}`, '/postgres') })
  await owner.connect()
  await owner.query(`alter database ${name} allow_connections false`)
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name])
  await until(async () => (await fetch(`${url}/health`)).status === 503)
  await until(async () => database.commits.state.state === 'unknown')
  expect(await ask('/health')).toMatchObject({ status: 503, database: 'away', commits: 'unknown', waitsFor: null })
  expect(await ask('/health/live')).toEqual({ status: 200, process: 'up' })
  await owner.query(`alter database ${name} allow_connections true`)
  await until(async () => (await fetch(`${url}/health`)).status === 200)

  const left = shutDown(app, 2)
  expect(await ask('/health')).toMatchObject({ status: 503, process: 'leaving', database: 'up' })
  expect(await ask('/health/live')).toEqual({ status: 503, process: 'leaving' })
  await left
  await owner.end()
  await close()
})

test('a full disk and a read-only database refuse commits, and other errors say nothing about them', async () => {
  const { ownerUrl, close } = await freshDatabase()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const failing = (code: string) => owner.query(`do $$ begin raise exception using errcode = '${code}'; end $$`).catch(stateOf)
  expect(await failing('53100')).toEqual({ state: 'refused', waitsFor: 'disk' })
  expect(await failing('25006')).toEqual({ state: 'refused', waitsFor: 'read-only' })
  expect(await failing('57P01')).toEqual({ state: 'unknown', waitsFor: null })
  expect(stateOf(new Error('Connection terminated'))).toEqual({ state: 'unknown', waitsFor: null })
  await owner.end()
  await close()
})

test('nothing is blocked by a lock that some wait for, or by what is not known', () => {
  expect(isBlocked({ state: 'waiting', waitsFor: 'SyncRep' })).toBe(true)
  expect(isBlocked({ state: 'refused', waitsFor: 'disk' })).toBe(true)
  for (const waitsFor of ['Lock', null]) expect(isBlocked({ state: 'waiting', waitsFor })).toBe(false)
})
