import type { Selectable } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import type { IdentityProvider } from '#database/tables.ts'
import type { ProviderView } from '#identity/contract.ts'
import { protocols, type Protocol } from '#identity/protocols.ts'
import type { Client } from '#identity/server/providers/provider.ts'

export type ConfiguredProvider = { id: string; protocol: Protocol; view: ProviderView; client: Client }

/** Whether this is WeChat's own browser, where a QR code is of no use. */
export function isInApp({ userAgent }: Pick<ClientInfo, 'userAgent'>): boolean {
  return userAgent.includes('MicroMessenger')
}

/** The providers that this browser can use, in their order. */
export async function usableProviders(db: Db, from: Pick<ClientInfo, 'userAgent'>): Promise<ProviderView[]> {
  const rows = await db
    .selectFrom('identity_provider')
    .select(['id', 'protocol', 'name_zh', 'name_en', 'in_app_client_id'])
    .where('is_enabled', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.filter((row) => row.protocol !== 'wechat' || !isInApp(from) || row.in_app_client_id !== null).map(viewOf)
}

export function viewOf({ id, name_zh: zh, name_en: en }: { id: string; name_zh: string; name_en: string }): ProviderView {
  return { id, name: { zh, en } }
}

/** An enabled provider, with its secret. */
export async function enabledProvider(db: Db, id: string, inApp: boolean): Promise<ConfiguredProvider> {
  const row = await db.selectFrom('identity_provider').selectAll().where('id', '=', id).where('is_enabled', '=', true).executeTakeFirst()
  if (!row) throw Missing()
  return { id, protocol: protocolOf(row.protocol), view: viewOf(row), client: clientOf(row, inApp) }
}

type Row = Selectable<IdentityProvider>

/** Our client at this provider, in WeChat's own browser or elsewhere. */
export function clientOf(row: Row, inApp: boolean): Client {
  const { address, in_app_client_id: inAppId, in_app_client_secret: inAppSecret } = row
  if (inApp && inAppId !== null && inAppSecret !== null)
    return { address, id: inAppId, secret: unsealSecret(row, inAppId, inAppSecret), isInApp: true }
  return { address, id: row.client_id, secret: unsealSecret(row, row.client_id, row.client_secret), isInApp: false }
}

type SecretOwner = { protocol: string; address: string | null }

/** A secret is bound to the address and client id that it was given for: with others, it cannot be decrypted. */
export function sealSecret(owner: SecretOwner, clientId: string, secret: string): Buffer {
  return seal(sealContext(owner, clientId), secret)
}

function unsealSecret(owner: SecretOwner, clientId: string, box: Buffer): string {
  return unseal(sealContext(owner, clientId), box).toString()
}

function sealContext({ protocol, address }: SecretOwner, clientId: string): SealContext {
  return { purpose: 'identity provider', row: JSON.stringify([protocol, address, clientId]) }
}

export function protocolOf(text: string): Protocol {
  const protocol = protocols.find((one) => one === text)
  if (!protocol) throw new Error(`No protocol ${text}`)
  return protocol
}
