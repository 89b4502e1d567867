import type pg from 'pg'
import { askHealth, askSeen } from '#apps/server/doctor/ask.ts'
import type { AsOwner, Ground } from '#apps/server/doctor/check.ts'
import { bad, ok, reasonOf, unknown, warn, type Finding } from '#apps/server/doctor/finding.ts'
import { certificateEnd } from '#apps/server/doctor/site-checks.ts'
import { features } from '#apps/server/features.ts'
import { setEnvironment } from '#apps/server/setting-problems.ts'
import type { Config } from '#base/server/config.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { openDatabase, type Database } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { handshakeWith } from '#base/server/outbound/as-visitor.ts'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { runningEmbedded } from '#base/server/postgres/embedded.ts'
import { findSealingKey } from '#base/server/security/sealing-key.ts'
import { hasSealingKey, setSealingKey } from '#base/server/security/sealing.ts'
import * as file from '#file/server/file.ts'
import * as health from '#maintenance/server/health.ts'

/** The ground, and what was found on the way to it. */
export type OpenedGround = { ground: Ground; findings: Finding[]; close(): Promise<void> }

type Others = Pick<Ground, 'ca' | 'nameServers'>

const openMs = 10_000

/** From inside the forum, which has its database and its key. */
export async function groundOfForum(config: Config, pools: Database, others: Others = {}): Promise<OpenedGround> {
  const { owner, isEmbedded, findings } = await ownerOf(config)
  const [site, shown] = await Promise.all([siteOf(config, others), health.show(pools.reader)])
  const ground = { ...others, config, isEmbedded, database: owner && { pools, asOwner: inTurn(owner) }, site: site.address, health: shown }
  return { ground, findings: [...findings, ...site.findings], close: async () => owner?.end() }
}

/** From another process, whether the forum runs or not. */
export async function groundOutside(config: Config, others: Others = {}): Promise<OpenedGround> {
  setEnvironment(config)
  file.openStorage(config)
  const { owner, ownerUrl, isEmbedded, findings } = await ownerOf(config)
  const pools = owner && poolsAt(ownerUrl, config)
  // Without the key it asks the forum nothing. What is wrong with the key, its own check says.
  const { key, state } = await findSealingKey({ config, db: pools?.app ?? null }).catch(() => ({ key: null, state: 'unproved' }))
  if (key && state !== 'other') setSealingKey(key)
  const [site, shown] = await Promise.all([siteOf(config, others), healthOf(config)])
  const ground = {
    ...others,
    config,
    isEmbedded,
    database: owner && pools && { pools, asOwner: inTurn(owner) },
    site: site.address,
    health: shown,
  }
  return {
    ground,
    findings: [...findings, ...site.findings],
    async close() {
      await Promise.all([owner?.end(), pools?.close()])
    },
  }
}

export function inTurn(owner: pg.Client): AsOwner {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(() => work(owner))
    last = mine.catch(() => undefined)
    return mine
  }
}

type Owner = { owner: pg.Client | null; ownerUrl: string; isEmbedded: boolean; findings: Finding[] }

async function ownerOf({ databaseUrl, directUrl, dataDir }: Config): Promise<Owner> {
  const embedded = runningEmbedded(dataDir)?.ownerUrl ?? null
  const isEmbedded = databaseUrl === null || databaseUrl === embedded
  const ownerUrl = directUrl ?? databaseUrl ?? embedded
  if (ownerUrl === null) return { owner: null, ownerUrl: '', isEmbedded, findings: [unknown('databaseStopped')] }
  try {
    const owner = await withDeadline(openMs, () => connectAsOwner(ownerUrl))
    return { owner, ownerUrl, isEmbedded, findings: [ok('databaseAnswers')] }
  } catch (error) {
    return { owner: null, ownerUrl, isEmbedded, findings: [bad('databaseAway', { reason: reasonOf(error) })] }
  }
}

function poolsAt(ownerUrl: string, { databaseUrl, replicaUrl }: Config): Database {
  const addresses = addressesOf(ownerUrl, replicaUrl, databaseUrl ?? ownerUrl)
  return openDatabase(addresses, { features, size: 4, minSize: 0, prepares: false, onLost: () => undefined })
}

/** The public address, if this forum answers there. */
async function siteOf({ publicUrl }: Config, { ca }: Others): Promise<{ address: URL | null; findings: Finding[] }> {
  if (publicUrl === null) return { address: null, findings: [isReachedFromNetwork() ? warn('siteUnset') : unknown('siteUnset')] }
  if (!hasSealingKey()) return { address: null, findings: [] }
  const address = new URL(publicUrl)
  try {
    const untrusted = await withDeadline(openMs, (signal) => certificateProblems(address, { signal, ca }))
    if (untrusted.length > 0) return { address: null, findings: untrusted }
    const seen = await withDeadline(openMs, (signal) => askSeen(address, { signal, ca }))
    return seen ? { address, findings: [ok('siteOurs')] } : { address: null, findings: [bad('siteOther', { site: publicUrl })] }
  } catch (error) {
    return { address: null, findings: [bad('siteAway', { site: publicUrl, reason: reasonOf(error) })] }
  }
}

/** Problems of the certificate that browsers would refuse. A machine that cannot prove its name is asked nothing more. */
async function certificateProblems(address: URL, way: { signal: AbortSignal; ca?: string | undefined }): Promise<Finding[]> {
  if (address.protocol !== 'https:') return []
  const { problem, ...certificate } = await handshakeWith(address, way)
  if (problem === null) return []
  const end = certificateEnd(certificate, Date.now())
  return [end.state === 'bad' ? end : bad('certificateUntrusted', { problem })]
}

/** The *Health* page of this machine’s server; null if none answers at its port. */
async function healthOf({ host, port }: Config): Promise<Ground['health']> {
  if (!hasSealingKey()) return null
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  try {
    return await withDeadline(openMs, (signal) => askHealth(new URL(`http://${name}:${port}`), { signal }))
  } catch {
    return null
  }
}
