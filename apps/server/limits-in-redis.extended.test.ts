import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { readConfig } from '#base/server/config.ts'
import { testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { aForum } from '#base/testing/forum.ts'
import { startRedis } from '#base/testing/redis.ts'
import { addComment } from '#comment/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const redis = await startRedis(await freePort())
const logLines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) })
const forum = await aForum({ isOneServer: true, env: { REDIS_URL: redis.url }, log })
const config = { ...readConfig({ TEAHOUSE_KEY: testKey, REDIS_URL: redis.url, TEAHOUSE_DATA: forum.dataDir }), development: false }
const other = await openApp({ config, database: forum.database, log, gatherSeconds: 3_600 })
afterAll(async () => {
  await other.close()
  await redis.stop()
})

/** Renames a member so often, alternating between both servers. */
async function renamed(times: number): Promise<number[]> {
  const tom = await forum.member()
  const there = Object.assign(Object.create(tom) as typeof tom, { app: other })
  const statuses: number[] = []
  for (let n = 0; n < times; n++) {
    const who = n % 2 === 0 ? tom : there
    statuses.push((await who.tryCall(editProfile, { nickname: `${tom.account} ${n}`, showsActivity: true })).status)
  }
  return statuses
}

const allowed = (times: number) => Array.from({ length: times }, () => 200)

test('a limit that Redis counts is one for all servers', async () => {
  expect(await renamed(12)).toEqual([...allowed(10), 429, 429])
})

test('a refused request takes nothing from the limit of accepted ones, though both are counted for the same minute', async () => {
  const tom = await forum.member()
  const topicId = await aTopic(tom, await aTag(forum.database))
  for (const _ of Array(21)) expect((await tom.tryCall(addComment, { topicId, body: says(' ') })).status).toBe(422)
  for (const n of Array(20).keys()) await tom.call(addComment, { topicId, body: says(`Cup ${n}`) })
  expect((await tom.tryCall(addComment, { topicId, body: says('One too many') })).status).toBe(429)
})

test('without Redis each server counts by itself and says so, and with Redis again they count together', async () => {
  await redis.stop()
  expect(await renamed(24)).toEqual([...allowed(20), 429, 429, 429, 429])
  expect(logLines.join('')).toContain('Limits could not be counted in Redis')
  await redis.start()
  await expect.poll(() => renamed(12)).toEqual([...allowed(10), 429, 429])
})

test('each server counts by itself while Redis hangs, and together again afterwards', async () => {
  redis.hang()
  expect(await renamed(24)).toEqual([...allowed(20), 429, 429, 429, 429])
  redis.resume()
  await expect.poll(() => renamed(12)).toEqual([...allowed(10), 429, 429])
})
