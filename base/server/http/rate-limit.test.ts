import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openCounters, inMemoryCounter, type CounterFactory } from '#base/server/cache/counters.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'
import type { Limit } from '#base/server/http/route.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { startRedis } from '#base/testing/redis.ts'

const { database, ownerUrl, close } = await freshDatabase()
const redis = await startRedis(await freePort())
const log = pino({ level: 'silent' })
const inDatabase = openCounters({ redisUrl: null, databaseUrl: ownerUrl }, database.app, log)
const inRedis = openCounters({ redisUrl: redis.url, databaseUrl: ownerUrl }, database.app, log)
afterAll(async () => {
  await inRedis.close()
  await redis.stop()
  await close()
})
afterEach(() => void vi.useRealTimers())

const stores: [string, CounterFactory][] = [
  ['memory', inMemoryCounter],
  ['the database', inDatabase.counterFor],
  ['Redis', inRedis.counterFor],
]

let limiterCount = 0
const [home, school] = ['192.0.2.1', '192.0.2.2']
const minute = (times: number, more: Partial<Limit> = {}): Limit => ({ times, seconds: 60, by: 'member', ...more })
const day = (times: number, more: Partial<Limit> = {}): Limit => ({ times, seconds: 86_400, by: 'member', ...more })

describe.each(stores)('limits that are counted in %s', (_, counterFor) => {
  function limited(...limits: Limit[]) {
    const take = rateLimiter(`limited ${++limiterCount}`, limits, counterFor)
    const tries = (ip: string, id: string | null = 'tom') => take(ip, { id })
    const isLetThrough = (ip: string, id?: string) =>
      tries(ip, id).then(
        () => true,
        () => false,
      )
    return { tries, isLetThrough }
  }

  test.each([
    ['a smaller one before', [minute(3), day(2, { by: 'ip' })]],
    ['a smaller one behind', [day(2, { by: 'ip' }), minute(3)]],
    ['several', [minute(3), minute(3, { countsRefused: false }), day(2, { by: 'ip' }), day(3)]],
    ['one of what is done', [minute(3, { countsRefused: false }), day(2, { by: 'ip' })]],
  ] as [string, Limit[]][])('give back the count of a call that another refuses: %s', async (_, limits) => {
    const { isLetThrough } = limited(...limits)
    expect([await isLetThrough(home), await isLetThrough(home)]).toEqual([true, true])
    expect(await Promise.all(Array.from({ length: 5 }, () => isLetThrough(home)))).not.toContain(true)
    expect([await isLetThrough(school), await isLetThrough(school)]).toEqual([true, false])
  })

  test('give back the counts of concurrent calls', async () => {
    const { isLetThrough } = limited(minute(20), day(10, { by: 'ip' }))
    const answers = await Promise.all(Array.from({ length: 40 }, () => isLetThrough(home)))
    expect(answers.filter(Boolean)).toHaveLength(10)
    for (const _ of Array(10)) expect(await isLetThrough(school)).toBe(true)
    expect(await isLetThrough(school)).toBe(false)
  })

  test('of successes do not count refusals, not even their own', async () => {
    const { tries, isLetThrough } = limited(day(1, { countsRefused: false }))
    const refusedLater = await tries(home)
    expect([await isLetThrough(home), await isLetThrough(home)]).toEqual([false, false])
    await refusedLater()
    expect([await isLetThrough(home), await isLetThrough(home)]).toEqual([true, false])
  })

  test('of attempts count refused actions', async () => {
    const { tries, isLetThrough } = limited(day(2), day(1, { countsRefused: false }))
    await (
      await tries(home)
    )()
    await (
      await tries(home)
    )()
    expect(await isLetThrough(home)).toBe(false)
  })

  test('are refused with the time of the one that refused', async () => {
    const { tries } = limited(minute(5), day(1))
    await tries(home)
    await expect(tries(home)).rejects.toMatchObject({ values: { seconds: 86_400 } })
  })
})

test('a call that is refused in the next minute gives nothing back there, where it took nothing', async () => {
  vi.useFakeTimers()
  const take = rateLimiter('slow', [minute(1, { countsRefused: false })])
  const slow = await take(home, { id: 'tom' })
  vi.advanceTimersByTime(61_000)
  await take(home, { id: 'tom' })
  await slow()
  await expect(take(home, { id: 'tom' })).rejects.toThrow('base.tooFast')
})
