import type { Database } from '#base/server/database.ts'
import type { Gathering } from '#base/server/gather.ts'
import { transact } from '#base/server/database.ts'
import type { From } from '#base/server/route.ts'

const mostWaiting = 5_000

type View = { url: string; referrer: string | null; ip: string; user_agent: string; at: Date }

let waiting: View[] = []

/** Keeps a page view until the next write. When too many wait, the newest are not kept: a count may be lost, the server may not. */
export function note(from: From, { url, referrer }: { url: string; referrer: string }): void {
  if (waiting.length >= mostWaiting) return
  waiting.push({ url, referrer: referrer || null, ip: from.ip, user_agent: from.userAgent, at: new Date() })
}

export const pageViews: Gathering = {
  name: 'page views',
  async write(database: Database) {
    if (waiting.length === 0) return
    const taken = waiting
    waiting = []
    try {
      await transact(database, (tx) => tx.insertInto('page_view').values(taken).execute())
    } catch (error) {
      waiting = [...taken, ...waiting].slice(0, mostWaiting)
      throw error
    }
  },
}
