import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'
import { insertRows, transact, type Database, type Db } from '#base/server/database/database.ts'
import { withRegions } from '#base/server/region.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { deviceKind } from '#base/device-name.ts'
import { places } from '#statistic/contract.ts'

const maxPending = 5_000
const longestKept = 500

type BufferedView = { url: string; referrer: string | null; ip: string; user_agent: string; at: Date }

type ViewBuffer = { waiting: BufferedView[]; known: Set<string> }
const bufferOf = perProgram((): ViewBuffer => ({ waiting: [], known: new Set() }))

/** Keeps a page view of a place there is until the next write, once for each address that looks. When too many wait, the newest are not kept: a count may be lost, the server may not. */
export function recordView(db: Db, client: ClientInfo, { url, referrer }: { url: string; referrer: string }): void {
  const { waiting: pending, known: recentKeys } = bufferOf(db)
  if (pending.length >= maxPending || !places.includes(url.split(/[?#]/, 1)[0] ?? '')) return
  const view = { url: redacted(url), referrer: redacted(referrer) || null, ip: client.ip, user_agent: client.userAgent }
  const key = `${view.ip} ${view.url}`
  if (recentKeys.has(key)) return
  recentKeys.add(key)
  pending.push({ ...view, at: new Date() })
}

// Callback parameters of identity providers and tokens of e-mail links are secrets; payment numbers are private.
function redacted(address: string): string {
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
      buffer.waiting = [...taken, ...buffer.waiting].slice(0, maxPending)
      throw error
    }
  },
}
