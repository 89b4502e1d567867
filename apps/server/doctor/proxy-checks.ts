import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Notification } from 'pg'
import { askSeen, newName, openStream, upload } from '#apps/server/doctor/ask.ts'
import type { AsOwner, Check } from '#apps/server/doctor/check.ts'
import { bad, ok, warn, type Finding } from '#apps/server/doctor/finding.ts'
import { leftChannel, type SeenView } from '#apps/server/doctor/probe.ts'
import { isLoopbackName } from '#base/server/http/site-address.ts'
import { isPublic } from '#base/server/outbound/public-address.ts'

/** An address of documentation, which no visitor has. */
const forgedAddress = '203.0.113.77'

/** The visitor’s address as the forum sees it, and whether a visitor can choose it. */
export const forwarding: Check<'site'> = {
  needs: ['site'],
  async run({ site, ca }, signal) {
    const seen = await askSeen(site, { signal, ca })
    if (!seen) return []
    if (isDirect(seen, site)) return ok('noProxy')
    // At an address of this machine alone, such a header would close the payment sandbox until the next start.
    const mayForge = !isLoopbackName(site.hostname) || seen.isPeerTrusted
    const forged = mayForge ? await askSeen(site, { signal, ca, headers: { 'x-forwarded-for': forgedAddress } }) : null
    return [addressOf(seen, forged), ...originOf(seen, site)]
  },
}

function isDirect({ forwardedFor, port }: SeenView, site: URL): boolean {
  return site.protocol === 'http:' && forwardedFor === null && port === (Number(site.port) || 80)
}

function addressOf({ address, peer, forwardedFor, isPeerTrusted }: SeenView, forged: SeenView | null): Finding {
  if (forged && isBelieved(forged)) return bad('forgedBelieved', { peer })
  if (forwardedFor === null) return bad('notForwarded', { peer })
  return isPeerTrusted ? ok('forwarded', { address }) : bad('proxyUntrusted', { peer })
}

// A proxy that appends tells the doctor's own address, which may be among the trusted ones. A visitor's is not.
function isBelieved({ address, forwardedFor }: SeenView): boolean {
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? ''
  return address === forgedAddress && (last === forgedAddress || isPublic(last))
}

function originOf({ scheme, host, isPeerTrusted }: SeenView, site: URL): Finding[] {
  const wrongScheme = isPeerTrusted && `${scheme}:` !== site.protocol
  return [
    ...(wrongScheme ? [warn('schemeWrong', { scheme, expected: site.protocol.slice(0, -1) })] : []),
    host === site.host ? ok('hostPassed') : warn('hostWrong', { host, expected: site.host }),
  ]
}

const firstEventMs = 8_000
// Some proxies notice at the third heartbeat, and a busy machine takes some time.
const leaveMs = 35_000

/** A stream through the proxy: its first event comes at once, and the forum hears that the reader left. */
export const streaming: Check<'site' | 'database'> = {
  needs: ['site', 'database'],
  limitMs: 55_000,
  async run({ site, ca, database: { asOwner } }, signal) {
    const [name, abort] = [newName(), new AbortController()]
    signal.addEventListener('abort', () => abort.abort(), { once: true })
    const left = await listenForLeave(asOwner, name)
    try {
      const answer = await Promise.race([openStream(site, name, { signal: abort.signal, ca }), lateAfter(firstEventMs)])
      if (answer === null) return bad('streamBuffered')
      if (answer.statusCode !== 200) return bad('streamRefused', { status: answer.statusCode ?? 0 })
      const isPrompt = await Promise.race([hasEvent(answer), lateAfter(firstEventMs)])
      if (!isPrompt) return bad('streamBuffered')
      const leftAt = performance.now()
      abort.abort()
      const isHeard = await Promise.race([left.heard, lateAfter(leaveMs)])
      const seconds = Math.round((performance.now() - leftAt) / 1000)
      return [ok('streamPrompt'), isHeard ? ok('streamLeft', { seconds }) : warn('streamHeld', { seconds })]
    } finally {
      abort.abort()
      left.stop()
    }
  },
}

function lateAfter(ms: number): Promise<null> {
  return wait(ms, null, { ref: false })
}

async function hasEvent(answer: IncomingMessage): Promise<true> {
  answer.on('error', () => undefined)
  let text = ''
  answer.on('data', (part: Buffer) => (text += String(part)))
  while (!/\bdata: x+\n\n/.test(text)) await once(answer, 'data')
  return true
}

function listenForLeave(asOwner: AsOwner, name: string) {
  return asOwner(async (client) => {
    const heard = Promise.withResolvers<true>()
    const onNotification = ({ channel, payload }: Notification) => {
      if (channel === leftChannel && payload === name) heard.resolve(true)
    }
    client.on('notification', onNotification)
    await client.query(`listen ${leftChannel}`)
    return { heard: heard.promise, stop: () => client.off('notification', onNotification) }
  })
}

const usualBytes = 2_000_000
// Above the limits that proxies have unless configured, and the size of a picture.
const largeBytes = 11_000_000

/** A picture and a larger file through the proxy. */
export const uploading: Check<'site'> = {
  needs: ['site'],
  limitMs: 40_000,
  async run({ site, ca }, signal) {
    const usual = await arrived(site, usualBytes, { signal, ca })
    if (usual !== true) return bad('uploadCut', { megabytes: usualBytes / 1e6, status: usual })
    const large = await arrived(site, largeBytes, { signal, ca })
    return large === true
      ? ok('uploaded', { megabytes: largeBytes / 1e6 })
      : bad('uploadCut', { megabytes: largeBytes / 1e6, status: large })
  },
}

/** True, or the status of what else answered: 0 if the connection broke. */
async function arrived(site: URL, bytes: number, way: { signal: AbortSignal; ca?: string | undefined }): Promise<true | number> {
  try {
    const answer = await upload(site, bytes, way)
    return answer.arrived === bytes ? true : answer.status
  } catch (error) {
    if (way.signal.aborted) throw error
    return 0
  }
}
