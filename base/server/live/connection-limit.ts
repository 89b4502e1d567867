import { isLoopback, networkOf, TooFast } from '#base/server/http/rate-limit.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'

/** The numbers of concurrent connections allowed. */
export type ConnectionLimits = { total: number; perMember: number; perNetwork: number }

/** Counts connections. `take` refuses above a limit and returns the function that releases the connection. */
export function connectionLimit({ total, perMember, perNetwork }: ConnectionLimits) {
  const taken = new Map<string, number>()
  let all = 0

  function take(viewer: Viewer, ip: string): () => void {
    const key = isMember(viewer) ? `member ${viewer.id}` : networkOf(ip)
    // On the machine itself all visitors may come through one reverse proxy.
    const most = isMember(viewer) ? perMember : isLoopback(ip) ? total : perNetwork
    const held = taken.get(key) ?? 0
    if (all >= total || held >= most) throw TooFast({ seconds: 60 })
    taken.set(key, held + 1)
    all++
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      all--
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }

  return { take }
}
