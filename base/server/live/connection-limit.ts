import { isLoopback, networkOf, TooFast } from '#base/server/http/rate-limit.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'

/** The numbers of concurrent connections allowed. */
export type ConnectionLimits = { total: number; perMember: number; perNetwork: number }

/** Counts connections. `take` refuses above a limit and returns the function that releases the connection. */
export function connectionLimit({ total, perMember, perNetwork }: ConnectionLimits) {
  const openByKey = new Map<string, number>()
  let all = 0

  function acquire(viewer: Viewer, ip: string): () => void {
    const key = isMember(viewer) ? `member ${viewer.id}` : networkOf(ip)
    // On the machine itself all visitors may come through one reverse proxy.
    const limit = isMember(viewer) ? perMember : isLoopback(ip) ? total : perNetwork
    const count = openByKey.get(key) ?? 0
    if (all >= total || count >= limit) throw TooFast({ seconds: 60 })
    openByKey.set(key, count + 1)
    all++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      all--
      const left = (openByKey.get(key) ?? 1) - 1
      if (left > 0) openByKey.set(key, left)
      else openByKey.delete(key)
    }
  }

  return { take: acquire }
}
