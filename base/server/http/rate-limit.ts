import { isIPv6 } from 'node:net'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { refusal } from '#base/contract.ts'
import { inMemoryCounter, type CounterFactory } from '#base/server/cache/counters.ts'
import type { Limit, Viewer } from '#base/server/http/route.ts'

export const TooFast = refusal('base.tooFast', { status: 429 })

/** Returns the tokens of a refused call. */
export type ReturnToken = () => Promise<void>

type RateLimiter = (ip: string, viewer: Pick<Viewer, 'id'>) => Promise<ReturnToken>

/**
 * One counter per limit of a route; in memory it counts this process alone. A call takes a token of every limit or of none: the refusing
 * limit and those before it get theirs back, so a used-up day or a busy network costs nothing of the minute's allowance, in any order of
 * limits. A call admitted by every limit is an attempt and stays counted whatever its outcome; limits with `countsRefused: false` get their
 * token back if it is refused.
 */
export function rateLimiter(name: string, limits: readonly Limit[], counterFor: CounterFactory = inMemoryCounter): RateLimiter {
  const counters = limits.map((limit, n) => ({
    by: limit.by,
    countsRefused: limit.countsRefused ?? true,
    // Attempts and completed calls over the same time are counted separately.
    counter: counterFor({ keyPrefix: `${name} ${n} ${limit.seconds}`, points: limit.times, duration: limit.seconds }),
  }))
  const hasVisitorLimit = limits.some(({ by }) => by === 'visitor')
  return async (ip, viewer) => {
    const taken: { countsRefused: boolean; returnToken: ReturnToken }[] = []
    for (const { by, counter, countsRefused } of counters) {
      // On the machine itself all visitors may come through one reverse proxy.
      if (by === 'visitor' ? viewer.id !== null || isLoopback(ip) : by === 'member' && hasVisitorLimit && viewer.id === null) continue
      const key = by === 'member' && viewer.id !== null ? `member ${viewer.id}` : networkOf(ip)
      const { isRefused, seconds, giveBack } = await takeToken(counter, key)
      taken.push({ countsRefused, returnToken: giveBack })
      if (!isRefused) continue
      await returnTokens(taken)
      throw TooFast({ seconds })
    }
    return () => returnTokens(taken.filter(({ countsRefused }) => !countsRefused))
  }
}

async function takeToken(counter: RateLimiterAbstract, key: string) {
  const { isRefused, msBeforeNext } = await counter.consume(key).then(
    (left) => ({ isRefused: false, msBeforeNext: left.msBeforeNext }),
    (left: unknown) => {
      if (!(left instanceof RateLimiterRes)) throw left
      return { isRefused: true, msBeforeNext: left.msBeforeNext }
    },
  )
  const endsAt = performance.now() + msBeforeNext
  // An expired token no longer counts, and returning it would allow one more in the next period.
  const returnToken = async () => void (performance.now() < endsAt && (await counter.reward(key)))
  return { isRefused, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)), giveBack: returnToken }
}

async function returnTokens(points: readonly { returnToken: ReturnToken }[]): Promise<void> {
  await Promise.all(points.map(({ returnToken }) => returnToken()))
}

/** Undefined after the client has disconnected. */
export function isLoopback(ip: string | undefined): boolean {
  if (ip === undefined) return false
  return ip.startsWith('127.') || ip === '::1' || ip === '::ffff:127.0.0.1'
}

// One customer of a provider has a whole /64, so its addresses share one counter.
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  if (ip.startsWith('::ffff:') && ip.includes('.')) return ip.slice(7)
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const full = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return full.slice(0, 4).join(':')
}
