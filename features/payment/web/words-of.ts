import type { PaymentMethod, ProviderName } from '#payment/contract.ts'

/** What providers are called, by the keys of their words. */
export const providerWords = {
  sandbox: 'providerSandbox',
  alipay: 'providerAlipay',
  wechat: 'providerWechat',
  stripe: 'providerStripe',
} as const satisfies Record<ProviderName, string>

/** The same as a place where one pays. */
export const placeWords = {
  sandbox: 'placeSandbox',
  alipay: 'placeAlipay',
  wechat: 'placeWechat',
  stripe: 'placeStripe',
} as const satisfies Record<ProviderName, string>

export const methodWords = {
  page: 'methodPage',
  phone: 'methodPhone',
  qr: 'methodQr',
  inApp: 'methodInApp',
} as const satisfies Record<PaymentMethod, string>

/** What follows a tap on the button, by how one pays. */
export const nextWords = {
  page: 'nextPage',
  phone: 'nextPhone',
  qr: 'nextQr',
  inApp: 'nextInApp',
} as const satisfies Record<PaymentMethod, string>
