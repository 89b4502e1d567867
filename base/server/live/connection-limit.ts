import { isLoopback, networkOf, TooFast } from '#base/server/http/rate-limit.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'

/** The numbers of concurrent streams allowed. */
export type ConnectionLimits = { total: number; perMember: number; perNetwork: number }

/** `name`: what the client's tab calls the stream, so that a new one of that name replaces it. */
type StreamRequest = { viewer: Viewer; ip: string; name: string | null }

/** The connection of a stream, which counts from the request on. */
export type Connection = {
  /** The stream has begun, and `end` ends it: at once if it was replaced meanwhile. */
  begin(end: () => void): void
  close(): void
}

type Open = { name: string | null; end: (() => void) | null; isReplaced: boolean }

/**
 * Counts streams. The server may hear late that a client has left: behind some proxies only at the second write. So a stream replaces the
 * former one of its name, and above a member's limit their oldest one. Visitors of one network are strangers to each other, and whoever
 * opens many streams there must not end those of others: above the network's limit, and above that of the process, new ones are refused.
 */
export function connectionLimit({ total, perMember, perNetwork }: ConnectionLimits) {
  /** By member or network, the oldest first. Replaced ones are not among them. */
  const byOwner = new Map<string, Set<Open>>()
  let all = 0

  function acquire({ viewer, ip, name }: StreamRequest): Connection {
    const owner = isMember(viewer) ? `member ${viewer.id}` : networkOf(ip)
    const theirs = byOwner.get(owner) ?? new Set()
    for (const other of theirs) if (name !== null && other.name === name) replace(theirs, other)
    // On the machine itself all visitors may come through one reverse proxy.
    const isFull = !isMember(viewer) && !isLoopback(ip) && theirs.size >= perNetwork
    if (all >= total || isFull) throw TooFast({ seconds: 60 })
    const own: Open = { name, end: null, isReplaced: false }
    byOwner.set(owner, theirs.add(own))
    all++
    let isClosed = false

    function begin(end: () => void): void {
      own.end = end
      const [oldest] = theirs
      if (own.isReplaced) end()
      else if (isMember(viewer) && theirs.size > perMember && oldest) replace(theirs, oldest)
    }

    function close(): void {
      if (isClosed) return
      isClosed = true
      all--
      theirs.delete(own)
      if (theirs.size === 0 && byOwner.get(owner) === theirs) byOwner.delete(owner)
    }
    return { begin, close }
  }

  return { take: acquire }
}

function replace(theirs: Set<Open>, open: Open): void {
  theirs.delete(open)
  open.isReplaced = true
  open.end?.()
}
