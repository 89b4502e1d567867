import { setTimeout as pause } from 'node:timers/promises'

export type Queue<T> = {
  /** The pending items, in order. Another process may have taken some of them meanwhile. */
  list(): Promise<T[]>
  /** The hosts that an item is sent to. */
  hostsOf(item: T): readonly string[]
  /** Processes the item, unless it is gone. */
  work(item: T): Promise<void>
}

type Limits = { atOnce: number; perHost: number; longestMs?: number }

const listEveryMs = 1_000

/**
 * Works through a queue, several items at once and fewer per host, so that a slow host delays only its own items. Ends when the queue is
 * empty, or after a while with the rest left for the next run. Throws the first error, once all running items have ended.
 */
export async function processQueue<T>({ list, hostsOf, work }: Queue<T>, { atOnce, perHost, longestMs = 50_000 }: Limits): Promise<void> {
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  const end = performance.now() + longestMs
  let waiting: T[] = []
  let listedAt = Number.NEGATIVE_INFINITY
  let hasChanged = true

  const isFree = (item: T) => hostsOf(item).every((host) => (busy.get(host) ?? 0) < perHost)
  const occupy = (item: T, change: number) => hostsOf(item).forEach((host) => busy.set(host, (busy.get(host) ?? 0) + change))
  const mustList = () => (waiting.length === 0 && hasChanged) || performance.now() - listedAt >= listEveryMs

  async function processItem(item: T): Promise<void> {
    occupy(item, 1)
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    } finally {
      occupy(item, -1)
      hasChanged = true
    }
  }

  while (failures.length === 0 && performance.now() < end) {
    const hasRoom = running.size < atOnce
    const next = hasRoom ? waiting.findIndex(isFree) : -1
    if (next >= 0) {
      for (const item of waiting.splice(next, 1)) {
        const one: Promise<void> = processItem(item).then(() => void running.delete(one))
        running.add(one)
      }
    } else if (hasRoom && mustList()) {
      hasChanged = false
      listedAt = performance.now()
      waiting = await list()
    } else if (running.size === 0) break
    else await Promise.race([...running, pause(listEveryMs, undefined, { ref: false })])
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
