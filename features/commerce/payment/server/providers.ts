import type { Db } from '#base/server/database/database.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { providerNames, type PaymentMethod, type ProviderName, type WayView } from '#payment/contract.ts'
import type { Provider } from '#payment/server/providers/provider.ts'
import { alipay } from '#payment/server/providers/alipay.ts'
import { sandbox } from '#payment/server/providers/sandbox.ts'
import { stripe } from '#payment/server/providers/stripe.ts'
import { wechat, type WechatProvider } from '#payment/server/providers/wechat.ts'
import { neededByProvider } from '#payment/server/setting-checks.ts'
import * as setting from '#setting/server/setting.ts'

/** The secrets of the forum that this feature uses. */
export const secrets = ['payment sandbox'] as const

type Device = { isPhone: boolean; isInWeChat: boolean }
/** The sandbox is offered to calls from the machine itself only. */
type Payer = Device & { isLocal: boolean }

/** The payment methods of each provider, by device. */
const methodsByProvider: Record<ProviderName, (device: Device) => readonly PaymentMethod[]> = {
  sandbox: ({ isPhone }) => (isPhone ? ['page'] : ['page', 'qr']),
  // WeChat opens no page of another provider.
  alipay: ({ isPhone, isInWeChat }) => (isInWeChat ? [] : isPhone ? ['phone'] : ['page', 'qr']),
  wechat: ({ isPhone, isInWeChat }) => (isInWeChat ? ['inApp'] : isPhone ? ['phone'] : ['qr']),
  stripe: ({ isInWeChat }) => (isInWeChat ? [] : ['page']),
}

const devices: readonly Device[] = [false, true].flatMap((isPhone) => [false, true].map((isInWeChat) => ({ isPhone, isInWeChat })))

/** The enabled providers, in a fixed order. */
export async function enabledProviders(db: Db): Promise<ProviderName[]> {
  const on = setting.payableBy(await setting.all(db))
  return providerNames.filter((name) => on.includes(name))
}

/** Whether money of this provider was never paid by anybody, and others can reach the site: it is credited and spent no more. */
export function isSandboxOver(provider: string): boolean {
  return provider === 'sandbox' && isReachedFromNetwork()
}

export async function enabledOptions(db: Db, { isLocal, ...device }: Payer): Promise<WayView[]> {
  const providers = (await enabledProviders(db)).filter((provider) => isLocal || provider !== 'sandbox')
  const all = providers.flatMap((provider) => methodsByProvider[provider](device).map((method) => ({ provider, method })))
  return (await Promise.all(all.map(async (option) => ((await canIdentifyPayer(db, option)) ? [option] : [])))).flat()
}

/** Inside WeChat the official account identifies the payer, which needs its own secret. */
async function canIdentifyPayer(db: Db, { provider, method }: WayView): Promise<boolean> {
  return provider !== 'wechat' || method !== 'inApp' || (await setting.secretsSet(db)).has('wechatPayAppSecret')
}

/** Whether an enabled provider offers this method, on any device. */
export async function isOffered(db: Db, { provider, method }: WayView): Promise<boolean> {
  const methods = devices.flatMap((device) => methodsByProvider[provider](device))
  return methods.includes(method) && (await enabledProviders(db)).includes(provider) && (await canIdentifyPayer(db, { provider, method }))
}

/** Returns a predicate for providers with all required settings; the sandbox needs none. Reads no key. */
export async function isSetUp(db: Db): Promise<(name: ProviderName) => boolean> {
  const isSet = await setting.isSetNow(db)
  return (name) => name === 'sandbox' || neededByProvider[name].every(isSet)
}

/** Addresses of stand-ins that tests use in place of the providers. */
type StandInUrls = Partial<Record<ProviderName, URL>>
let standInUrls: StandInUrls = {}

export function setStandIns(at: StandInUrls): void {
  standInUrls = at
}

/**
 * A provider by its name, enabled or not: an order begun earlier may still be paid. Null if its keys are missing, or the name is unknown.
 */
export async function findProvider(db: Db, name: string): Promise<Provider | null> {
  if (name === 'sandbox') return sandbox(db, await secretOf(db, 'payment sandbox'))
  if (name === 'alipay') return alipayOf(db)
  if (name === 'wechat') return wechatOf(db)
  return name === 'stripe' ? stripeOf(db) : null
}

async function alipayOf(db: Db): Promise<Provider | null> {
  const { alipayAppId: appId, alipaySellerId: sellerId, alipayPublicKey: publicKey } = await setting.all(db)
  const key = await setting.unsealed(db, 'alipayKey')
  return appId && sellerId && publicKey && key ? alipay({ appId, sellerId, publicKey, key }, standInUrls.alipay) : null
}

export async function wechatOf(db: Db): Promise<WechatProvider | null> {
  const settings = await setting.all(db)
  const { wechatPayMerchantId: merchantId, wechatPayAppId: appId, wechatPayCertificate: certificate } = settings
  const [key, v3Key] = [await setting.unsealed(db, 'wechatPayKey'), await setting.unsealed(db, 'wechatPayV3Key')]
  if (!merchantId || !appId || !certificate || !key || !v3Key) return null
  const { wechatPayPublicKeyId: publicKeyId, wechatPayPublicKey: publicKey } = settings
  const appSecret = await setting.unsealed(db, 'wechatPayAppSecret')
  return wechat({ merchantId, appId, certificate, key, v3Key, publicKeyId, publicKey, appSecret }, standInUrls.wechat)
}

async function stripeOf(db: Db): Promise<Provider | null> {
  const [key, webhookSecret] = [await setting.unsealed(db, 'stripeKey'), await setting.unsealed(db, 'stripeWebhookSecret')]
  return key && webhookSecret ? stripe({ key, webhookSecret }, standInUrls.stripe) : null
}
