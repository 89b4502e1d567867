import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { RowCache } from '#base/server/cache/row-cache.ts'

const roomy = { most: 1_000, freshMs: 60_000 }

afterEach(() => vi.restoreAllMocks())

test('a row is cached until one of its tags is invalidated', async () => {
  const cache = new RowCache<string>(roomy)
  await cache.load(
    async () => ['mei', 'lin'],
    (names) => names.map((name, n) => [String(n), name, [`member:${n}`, 'role']] as const),
  )
  cache.drop(['topic:0', 'member:7'])
  expect([cache.get('0'), cache.get('1')]).toEqual(['mei', 'lin'])
  cache.drop(['member:0'])
  expect([cache.get('0'), cache.get('1')]).toEqual([undefined, 'lin'])
  cache.drop(['role'])
  expect(cache.get('1')).toBeUndefined()
})

test('the row loaded longest ago is dropped without room, and a stale one is loaded again', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const cache = new RowCache<number>({ most: 2, freshMs: 30 })
  for (const n of [1, 2, 3])
    await cache.load(
      async () => n,
      () => [[String(n), n, ['all']]],
    )
  expect(['1', '2', '3'].map((key) => cache.get(key))).toEqual([undefined, 2, 3])
  clock.mockReturnValue(1_031)
  await expect.poll(() => cache.get('3')).toBeUndefined()
})

test('rows that several callers ask for at once are loaded once, and those of a load that an invalidation overtook are not shared', async () => {
  const cache = new RowCache<string>(roomy)
  const loads: { keys: readonly string[]; answer: () => void }[] = []
  const source = {
    load(keys: readonly string[]) {
      const { promise, resolve } = Promise.withResolvers<Map<string, string>>()
      loads.push({ keys, answer: () => resolve(new Map(keys.map((key) => [key, `${key} of load ${loads.length}`]))) })
      return promise
    },
    tagsOf: (_: string, key: string) => [`member:${key}`],
  }
  const [first, second] = [cache.getOrLoad(['mei', 'lin'], source), cache.getOrLoad(['lin', 'tom'], source)]
  expect(loads.map(({ keys }) => keys)).toEqual([['mei', 'lin'], ['tom']])
  cache.drop(['member:lin'])
  const third = cache.getOrLoad(['lin', 'mei'], source)
  expect(loads[2]?.keys).toEqual(['lin', 'mei'])
  for (const { answer } of loads) answer()
  expect([...(await first).keys()]).toEqual(['mei', 'lin'])
  expect([...(await second).keys()].toSorted()).toEqual(['lin', 'tom'])
  expect([...(await third).keys()]).toEqual(['lin', 'mei'])
  expect([cache.get('mei'), cache.get('tom')].every(Boolean)).toBe(true)
})

test('after any concurrent loads and changes no row is older than the last change', async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('ask' as const), id: fc.nat(2) }),
    fc.record({ does: fc.constant('answer' as const), which: fc.nat(5) }),
    fc.record({ does: fc.constant('change' as const), id: fc.nat(2), all: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const cache = new RowCache<number>({ most: 2, freshMs: 60_000 })
      const truth = [0, 0, 0]
      const waiting: { answer: () => void; loading: Promise<unknown> }[] = []
      for (const one of steps) {
        if (one.does === 'ask') {
          const [seen, { promise, resolve }] = [truth[one.id] ?? 0, Promise.withResolvers<number>()]
          const loading = cache.load(
            () => promise,
            (it) => [[String(one.id), it, [`row:${one.id}`]]],
          )
          waiting.push({ answer: () => resolve(seen), loading })
        } else if (one.does === 'answer') {
          const [next] = waiting.splice(one.which % Math.max(1, waiting.length), 1)
          next?.answer()
          await next?.loading
        } else {
          truth[one.id] = (truth[one.id] ?? 0) + 1
          cache.drop(one.all ? '*' : [`row:${one.id}`])
        }
        for (const [id, now] of truth.entries()) expect([now, undefined]).toContain(cache.get(String(id)))
      }
      for (const { answer } of waiting) answer()
    }),
  )
})
