import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'
import { insertRows, transact, type Database, type Db } from '#base/server/database/database.ts'
import { withRegions } from '#base/server/region.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { deviceKind } from '#base/device-name.ts'
import { places } from '#statistic/contract.ts'

const mostWaiting = 5_000
const longestKept = 500

type View = { url: string; referrer: string | null; ip: string; user_agent: string; at: Date }

type Buffer = { waiting: View[]; known: Set<string> }
const bufferOf = perProgram((): Buffer => ({ waiting: [], known: new Set() }))

/** Keeps a page view of a place there is until the next write, once for each address that looks. When too many wait, the newest are not kept: a count may be lost, the server may not. */
export function note(db: Db, client: ClientInfo, { url, referrer }: { url: string; referrer: string }): void {
  const { waiting, known } = bufferOf(db)
  if (waiting.length >= mostWaiting || !places.includes(url.split(/[?#]/, 1)[0] ?? '')) return
  const view = { url: toldOf(url), referrer: toldOf(referrer) || null, ip: client.ip, user_agent: client.userAgent }
  const key = `${view.ip} ${view.url}`
  if (known.has(key)) return
  known.add(key)
  waiting.push({ ...view, at: new Date() })
}

// Callback parameters of identity providers and tokens of e-mail links are secrets; payment numbers are private.
function toldOf(address: string): string {
  return address.replace(/(\/thirdParty\/[^?#]*|\/unsubscribe|\/payment(?:\/sandbox)?)[?#].*/i, '$1').slice(0, longestKept)
}

export const pageViews: BufferedWriter = {
  name: 'page views',
  async write(database: Database) {
    const buffer = bufferOf(database.app)
    const taken = buffer.waiting
    if (taken.length === 0) return
    buffer.waiting = []
    buffer.known = new Set()
    try {
      const rows = (await withRegions(taken)).map((view) => ({ ...view, device: deviceKind(view.user_agent) }))
      await transact(database, (tx) => insertRows(tx, 'page_view', rows).execute())
    } catch (error) {
      buffer.waiting = [...taken, ...buffer.waiting].slice(0, mostWaiting)
      throw error
    }
  },
}
