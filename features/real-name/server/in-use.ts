import type { Db } from '#base/server/database/database.ts'
import { isDevelopment } from '#base/server/development.ts'
import { documents, type Document } from '#real-name/contract.ts'
import { aliyun } from '#real-name/server/providers/aliyun.ts'
import type { Checker } from '#real-name/server/providers/provider.ts'
import { standIn } from '#real-name/server/providers/stand-in.ts'
import { webhook } from '#real-name/server/providers/webhook.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

let desk: string | undefined

/** A test may stand where the provider is. */
export function askElsewhere(at: string | undefined): void {
  desk = at
}

/** What can be checked here now, as far as it is set. */
export function documentsFor({ identityChecker: chosen }: Pick<Settings, 'identityChecker'>): readonly Document[] {
  if (chosen === 'none' || (chosen === 'standIn' && !isDevelopment())) return []
  return chosen === 'aliyun' ? ['chineseId'] : documents
}

/** Who checks names here, as staff have set it; null where nobody does. */
export async function checkerOf(db: Db): Promise<Checker | null> {
  const { identityChecker: chosen, identityKeyId: keyId, identityWebhookUrl: url } = await setting.all(db)
  if (chosen === 'none') return null
  if (chosen === 'standIn') return isDevelopment() ? standIn : null
  const secret = await setting.unsealed(db, 'identitySecret')
  if (!secret) return null
  if (chosen === 'webhook') return url ? webhook({ url, secret }) : null
  return keyId ? aliyun({ keyId, secret }, desk) : null
}
