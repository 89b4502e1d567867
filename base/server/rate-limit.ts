import { isIPv6 } from 'node:net'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { refusal } from '#base/contract.ts'
import { inMemory, type CountersFor } from '#base/server/counters.ts'
import type { Limit, Viewer } from '#base/server/route.ts'

export const TooFast = refusal('base.tooFast', { status: 429 })

/** Takes back what was counted of a deed that was refused. */
export type GiveBack = () => Promise<void>

type Count = (ip: string, viewer: Pick<Viewer, 'id'>) => Promise<GiveBack>

/** One counter for each limit of each route. In memory it counts what this process is asked alone. */
export function rateLimiter(name: string, limits: readonly Limit[], counterFor: CountersFor = inMemory): Count {
  const counters = limits.map((limit, n) => ({
    by: limit.by,
    countsRefused: limit.countsRefused ?? true,
    // What is tried and what is done within the same time are counted apart.
    counter: counterFor({ keyPrefix: `${name} ${n} ${limit.seconds}`, points: limit.times, duration: limit.seconds }),
  }))
  const visitorsApart = limits.some(({ by }) => by === 'visitor')
  return async (ip, viewer) => {
    const returnable: (() => Promise<unknown>)[] = []
    for (const { by, counter, countsRefused } of counters) {
      // On the machine itself all visitors may come through one reverse proxy.
      if (by === 'visitor' ? viewer.id !== null || isLoopback(ip) : by === 'member' && visitorsApart && viewer.id === null) continue
      const key = by === 'member' && viewer.id !== null ? `member ${viewer.id}` : networkOf(ip)
      await counter.consume(key).catch(refuse)
      if (!countsRefused) returnable.push(() => counter.reward(key))
    }
    return async () => void (await Promise.all(returnable.map((giveBack) => giveBack())))
  }
}

/** Whose client has gone already has no address. */
export function isLoopback(ip: string | undefined): boolean {
  if (ip === undefined) return false
  return ip.startsWith('127.') || ip === '::1' || ip === '::ffff:127.0.0.1'
}

function refuse(left: unknown): never {
  if (!(left instanceof RateLimiterRes)) throw left
  throw TooFast({ seconds: Math.max(1, Math.ceil(left.msBeforeNext / 1000)) })
}

// One customer of a provider has a whole /64, so addresses within it are one asker.
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  if (ip.startsWith('::ffff:') && ip.includes('.')) return ip.slice(7)
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const full = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return full.slice(0, 4).join(':')
}
