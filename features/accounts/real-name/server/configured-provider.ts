import type { Db } from '#base/server/database/database.ts'
import { isDevelopment } from '#base/server/development.ts'
import { documents, type Document } from '#real-name/contract.ts'
import { aliyun } from '#real-name/server/providers/aliyun.ts'
import type { Checker } from '#real-name/server/providers/provider.ts'
import { developmentChecker } from '#real-name/server/providers/stand-in.ts'
import { webhook } from '#real-name/server/providers/webhook.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

let endpointForTests: string | undefined

/** Replaces the provider's address in tests. */
export function setEndpointForTests(at: string | undefined): void {
  endpointForTests = at
}

/** The documents that can be checked here, as far as the provider is configured. */
export function documentsFor({ realNameProvider: chosen }: Pick<Settings, 'realNameProvider'>): readonly Document[] {
  if (chosen === 'none' || (chosen === 'standIn' && !isDevelopment())) return []
  return chosen === 'aliyun' ? ['chineseId'] : documents
}

/** The configured provider; null where there is none. */
export async function checkerOf(db: Db): Promise<Checker | null> {
  const { realNameProvider: chosen, realNameKeyId: keyId, realNameWebhookUrl: url } = await setting.all(db)
  if (chosen === 'none') return null
  if (chosen === 'standIn') return isDevelopment() ? developmentChecker : null
  const secret = await setting.unsealed(db, 'realNameSecret')
  if (!secret) return null
  if (chosen === 'webhook') return url ? webhook({ url, secret }) : null
  return keyId ? aliyun({ keyId, secret }, endpointForTests) : null
}
