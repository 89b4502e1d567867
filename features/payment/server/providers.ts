import type { Db } from '#base/server/database.ts'
import { secretOf } from '#base/server/secret.ts'
import { providerNames, type PaymentMethod, type ProviderName, type WayView } from '#payment/contract.ts'
import type { Provider } from '#payment/server/providers/provider.ts'
import { sandbox } from '#payment/server/providers/sandbox.ts'
import * as setting from '#setting/server/setting.ts'

/** The secrets of the forum that this feature asks for. */
export const secrets = ['payment sandbox'] as const

type Device = { isPhone: boolean; isInWeChat: boolean }

/** How one pays with each, by device. */
const ways: Record<ProviderName, (device: Device) => readonly PaymentMethod[]> = {
  sandbox: ({ isPhone }) => (isPhone ? ['page'] : ['page', 'qr']),
  alipay: ({ isPhone }) => (isPhone ? ['phone'] : ['page', 'qr']),
  wechat: ({ isPhone, isInWeChat }) => (isInWeChat ? ['inApp'] : isPhone ? ['phone'] : ['qr']),
  stripe: () => ['page'],
}

const devices: readonly Device[] = [false, true].flatMap((isPhone) => [false, true].map((isInWeChat) => ({ isPhone, isInWeChat })))

/** The providers that are on, in one order. */
export async function providersOn(db: Db): Promise<ProviderName[]> {
  const on = setting.payableBy(await setting.all(db))
  return providerNames.filter((name) => on.includes(name))
}

export async function waysOn(db: Db, device: Device): Promise<WayView[]> {
  return (await providersOn(db)).flatMap((provider) => ways[provider](device).map((method) => ({ provider, method })))
}

/** Whether a provider that is on is paid in this way, on any device. */
export async function isOffered(db: Db, { provider, method }: WayView): Promise<boolean> {
  const methods = devices.flatMap((device) => ways[provider](device))
  return methods.includes(method) && (await providersOn(db)).includes(provider)
}

/** A provider by its name, whether or not it is on: what was begun with it may still be paid. Null for a name that is none. */
export async function providerNamed(db: Db, name: string): Promise<Provider | null> {
  if (name === 'sandbox') return sandbox(db, await secretOf(db, 'payment sandbox'))
  return null
}
