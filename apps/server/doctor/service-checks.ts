import { createPublicKey } from 'node:crypto'
import type { Check } from '#apps/server/doctor/check.ts'
import { bad, ok, reasonOf, warn, type Finding } from '#apps/server/doctor/finding.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'
import { resolveTexts } from '#base/server/outbound/name-servers.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'

const ioredis = lazyPackage((load) => load('ioredis') as typeof import('ioredis'))

export const redis: Check = {
  needs: [],
  async run({ config: { redisUrl } }, signal) {
    if (redisUrl === null) return []
    const client = new (ioredis().Redis)(redisUrl, {
      lazyConnect: true,
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      connectTimeout: 3_000,
    })
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    signal.addEventListener('abort', () => client.disconnect(), { once: true })
    try {
      await client.connect()
      await client.ping()
      return ok('redisAnswers')
    } catch (error) {
      return bad('redisAway', { reason: reasonOf(errors[0] ?? error) })
    } finally {
      client.disconnect()
    }
  },
}

/** A small file is written, read and removed where uploads go. */
export const files: Check<'database'> = {
  needs: ['database'],
  limitMs: 30_000,
  async run({ database: { pools } }) {
    try {
      await file.tryStorage(pools.app)
      return ok('filesKept')
    } catch (error) {
      return bad('filesRefused', { reason: reasonOf(error) })
    }
  },
}

/** Whether other mail servers can tell that our e-mails are ours. */
export const mailRecords: Check<'database'> = {
  needs: ['database'],
  async run({ database: { pools }, nameServers }, signal) {
    const { emailProvider, emailFrom, dkimSelector } = await setting.all(pools.app)
    const domain = emailFrom.split('@')[1] ?? ''
    if (emailProvider !== 'smtp' || !domain.includes('.')) return []
    const textsOf = (name: string) => resolveTexts(name, signal, nameServers && { servers: nameServers })
    const [spf, dmarc, dkim] = await Promise.all([
      textsOf(domain),
      textsOf(`_dmarc.${domain}`),
      dkimSelector === '' ? null : textsOf(`${dkimSelector}._domainkey.${domain}`),
    ])
    const signs = dkim && (await setting.unsealed(pools.app, 'dkimKey'))
    return [
      spf.some((text) => /^v=spf1( |$)/i.test(text)) ? ok('spfThere') : warn('spfMissing', { domain }),
      signs ? dkimFinding(dkim, signs, { domain, selector: dkimSelector }) : warn('dkimUnset'),
      dmarc.some((text) => /^v=DMARC1/i.test(text)) ? ok('dmarcThere') : warn('dmarcMissing', { domain }),
    ]
  },
}

function dkimFinding(texts: readonly string[], privateKey: string, at: { domain: string; selector: string }): Finding {
  const published = texts.flatMap((text) => /(?:^|;)\s*p=([\w+/=\s]+)/.exec(text)?.[1]?.replaceAll(/\s/g, '') ?? [])
  if (published.length === 0) return bad('dkimMissing', at)
  const key = createPublicKey(privateKey)
  const bytes = key.export({ type: 'spki', format: 'der' })
  // RFC 8463: an Ed25519 key is published without the head of its structure.
  const own = (key.asymmetricKeyType === 'ed25519' ? bytes.subarray(-32) : bytes).toString('base64')
  return published.includes(own) ? ok('dkimThere') : bad('dkimOther', at)
}
