import { isIPv6 } from 'node:net'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { refusal } from '#base/contract.ts'
import { inMemory, type CountersFor } from '#base/server/cache/counters.ts'
import type { Limit, Viewer } from '#base/server/http/route.ts'

export const TooFast = refusal('base.tooFast', { status: 429 })

/** Puts back what was counted of a call that was refused. */
export type ReturnToken = () => Promise<void>

type Count = (ip: string, viewer: Pick<Viewer, 'id'>) => Promise<ReturnToken>

/**
 * One counter for each limit of each route. In memory it counts what this process is asked alone.
 *
 * A call takes a point of every limit, or of none. The limit that refuses it and those before it get their points back, so a full day or a
 * busy network takes nothing from what somebody may do this minute, in whichever order the limits stand. A call that every limit lets
 * through is a try, and stays counted whatever comes of it; limits with `countsRefused: false` get their points back where it is refused.
 */
export function rateLimiter(name: string, limits: readonly Limit[], counterFor: CountersFor = inMemory): Count {
  const counters = limits.map((limit, n) => ({
    by: limit.by,
    countsRefused: limit.countsRefused ?? true,
    // What is tried and what is done within the same time are counted apart.
    counter: counterFor({ keyPrefix: `${name} ${n} ${limit.seconds}`, points: limit.times, duration: limit.seconds }),
  }))
  const visitorsApart = limits.some(({ by }) => by === 'visitor')
  return async (ip, viewer) => {
    const taken: { countsRefused: boolean; giveBack: ReturnToken }[] = []
    for (const { by, counter, countsRefused } of counters) {
      // On the machine itself all visitors may come through one reverse proxy.
      if (by === 'visitor' ? viewer.id !== null || isLoopback(ip) : by === 'member' && visitorsApart && viewer.id === null) continue
      const key = by === 'member' && viewer.id !== null ? `member ${viewer.id}` : networkOf(ip)
      const { isRefused, seconds, giveBack } = await takePoint(counter, key)
      taken.push({ countsRefused, giveBack })
      if (!isRefused) continue
      await putBack(taken)
      throw TooFast({ seconds })
    }
    return () => putBack(taken.filter(({ countsRefused }) => !countsRefused))
  }
}

async function takePoint(counter: RateLimiterAbstract, key: string) {
  const { isRefused, msBeforeNext } = await counter.consume(key).then(
    (left) => ({ isRefused: false, msBeforeNext: left.msBeforeNext }),
    (left: unknown) => {
      if (!(left instanceof RateLimiterRes)) throw left
      return { isRefused: true, msBeforeNext: left.msBeforeNext }
    },
  )
  const endsAt = performance.now() + msBeforeNext
  // Once its time is over the point counts no longer, and giving it back would allow one more within the next.
  const giveBack = async () => void (performance.now() < endsAt && (await counter.reward(key)))
  return { isRefused, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)), giveBack }
}

async function putBack(points: readonly { giveBack: ReturnToken }[]): Promise<void> {
  await Promise.all(points.map(({ giveBack }) => giveBack()))
}

/** Whose client has gone already has no address. */
export function isLoopback(ip: string | undefined): boolean {
  if (ip === undefined) return false
  return ip.startsWith('127.') || ip === '::1' || ip === '::ffff:127.0.0.1'
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
