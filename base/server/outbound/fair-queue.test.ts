import { expect, test } from 'vitest'
import { processQueue } from '#base/server/outbound/fair-queue.ts'

type Item = { host: string; id: number }

/** A queue whose hosts answer on command. */
function aQueue(items: Item[]) {
  const waiting = new Set(items)
  const begun: Item[] = []
  const waiters = new Map<string, (() => void)[]>()
  const queue = {
    list: async () => [...waiting],
    hostsOf: ({ host }: Item) => [host],
    async work(item: Item) {
      if (!waiting.delete(item)) return
      begun.push(item)
      const its = waiters.get(item.host)
      if (its) await new Promise<void>((resolve) => its.push(resolve))
    },
  }
  return {
    queue,
    waiting,
    begun: (host: string) => begun.filter((one) => one.host === host).map(({ id }) => id),
    hold: (host: string) => void waiters.set(host, []),
    release(host: string) {
      const its = waiters.get(host) ?? []
      waiters.delete(host)
      its.forEach((go) => go())
    },
  }
}

const of = (host: string, ...ids: number[]) => ids.map((id) => ({ host, id }))

test('a slow host holds only its own places, also for later items', async () => {
  const { queue, waiting, begun, hold, release } = aQueue([...of('bad', 1, 2, 3, 4, 5, 6), ...of('good', 1, 2)])
  hold('bad')
  const all = processQueue(queue, { atOnce: 4, perHost: 2 })
  await expect.poll(() => begun('good')).toEqual([1, 2])
  of('good', 3).forEach((item) => waiting.add(item))
  await expect.poll(() => begun('good')).toEqual([1, 2, 3])
  expect(begun('bad')).toEqual([1, 2])
  release('bad')
  await all
  expect(begun('bad')).toEqual([1, 2, 3, 4, 5, 6])
})

test('no more is done at once than may be', async () => {
  const { queue, begun, hold, release } = aQueue(['a', 'b', 'c', 'd'].flatMap((host) => of(host, 1, 2)))
  for (const host of ['a', 'b', 'c', 'd']) hold(host)
  const all = processQueue(queue, { atOnce: 3, perHost: 2 })
  await expect.poll(() => begun('a').length + begun('b').length + begun('c').length + begun('d').length).toBe(3)
  expect([begun('a'), begun('b')]).toEqual([[1, 2], [1]])
  for (const host of ['a', 'b', 'c', 'd']) release(host)
  await all
})

test('the rest after the time limit stays for the next run', async () => {
  const { queue, waiting, hold, release } = aQueue(of('bad', 1, 2, 3))
  hold('bad')
  const all = processQueue(queue, { atOnce: 4, perHost: 1, longestMs: 0 })
  release('bad')
  await all
  expect(waiting.size).toBeGreaterThan(0)
})

test('an error is reported when all begun work has ended', async () => {
  const { queue, begun, hold, release } = aQueue([...of('slow', 1), ...of('broken', 1)])
  hold('slow')
  let hasEnded = false
  const failing = {
    ...queue,
    work: async (item: Item) => (item.host === 'broken' ? Promise.reject(new Error('No tea')) : queue.work(item)),
  }
  const all = processQueue(failing, { atOnce: 4, perHost: 1 }).finally(() => (hasEnded = true))
  await expect.poll(() => begun('slow')).toEqual([1])
  expect(hasEnded).toBe(false)
  release('slow')
  await expect(all).rejects.toThrow('No tea')
})
