import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { ask, DayUsed, TooManyStreams } from '#assistant/contract.ts'
import { aProvider, streams, withModel } from '#assistant/testing/factories.ts'
import { beat } from '#assistant/server/heartbeat.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { until } from '#base/testing/waits.ts'

const forum = await aForum()
const { app } = forum.database
const provider = await aProvider(() => ({ says: ['Hello.'] }))
await withModel(forum.database, provider)
await transact(forum.database, (tx) => applySettings(tx, { assistantStreamsPerMember: 1, assistantAnswersPerDay: 50 }))
let mei: Person
beforeEach(async () => {
  mei = await forum.member()
})

/** Simulates that all processes were silent for so many seconds. */
const silentFor = (seconds: number) =>
  sql`update assistant_usage set beat_at = clock_timestamp() - make_interval(secs => ${seconds})`.execute(app)
const reserves = (who: Person) => sql`insert into assistant_usage (member_id, job) values (${who.id}, 'chat')`.execute(app)

test('the slot of an answer whose process was killed is free after a minute', async () => {
  await reserves(mei)
  expect(await mei.isRefused(ask, { prompt: 'Good morning?' }, TooManyStreams)).toBe(true)
  await silentFor(40)
  expect(await mei.isRefused(ask, { prompt: 'Good morning?' }, TooManyStreams)).toBe(true)
  await silentFor(61)
  expect((await streams(mei, ask, { prompt: 'Good morning?' })).text).toBe('Hello.')
})

test('the slot of an answer whose process lives is taken as long as it is written', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  provider.does(() => promise.then(() => ({ says: ['Hello.'] })))
  const requestCount = provider.requests.length
  const answer = streams(mei, ask, { prompt: 'Good morning?' })
  await until(() => provider.requests.length > requestCount)
  await silentFor(61)
  await beat()
  const tries = await mei.isRefused(ask, { prompt: 'Another?' }, TooManyStreams)
  resolve()
  expect([tries, (await answer).text]).toEqual([true, 'Hello.'])
  provider.does(() => ({ says: ['Hello.'] }))
  expect((await streams(mei, ask, { prompt: 'And another?' })).text).toBe('Hello.')
  await silentFor(61)
  await beat()
  const { rows } = await sql`select from assistant_usage where beat_at > clock_timestamp() - interval '50 seconds'`.execute(app)
  expect(rows).toEqual([])
})

test('a member whose share of the day is used up is told when they can ask again', async () => {
  await sql`insert into assistant_usage (member_id, job, ended_at) select ${mei.id}, 'chat', now() from generate_series(1, 50)`.execute(app)
  const { error } = await mei.tryCall(ask, { prompt: 'One more?' })
  expect(error['assistant']).toMatch(/again from \d{4}-\d\d-\d\d 00:00 \(.+\)/)
  expect(await mei.isRefused(ask, { prompt: 'One more?' }, DayUsed)).toBe(true)
})
