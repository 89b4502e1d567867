import type { PaidMethod, PaymentMethod, ProviderName } from '#payment/contract.ts'

export const providerWords = {
  sandbox: 'providerSandbox',
  alipay: 'providerAlipay',
  wechat: 'providerWechat',
  stripe: 'providerStripe',
} as const satisfies Record<ProviderName, string>

/** The text keys of the providers as places of payment. */
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
  byHand: 'methodByHand',
} as const satisfies Record<PaidMethod, string>

/** The text that follows a tap on the button, by method. */
export const nextWords = {
  page: 'nextPage',
  phone: 'nextPhone',
  qr: 'nextQr',
  inApp: 'nextInApp',
} as const satisfies Record<PaymentMethod, string>
