import type { PaymentMethod, ProviderName } from '#payment/contract.ts'

/** What providers are called, by the keys of their words. */
export const providerWords = {
  sandbox: 'providerSandbox',
  alipay: 'providerAlipay',
  wechat: 'providerWechat',
  stripe: 'providerStripe',
} as const satisfies Record<ProviderName, string>

export const methodWords = {
  page: 'methodPage',
  phone: 'methodPhone',
  qr: 'methodQr',
  inApp: 'methodInApp',
} as const satisfies Record<PaymentMethod, string>
