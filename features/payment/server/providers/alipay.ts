import type { Provider } from '#payment/server/providers/provider.ts'

export type AlipayKeys = { appId: string; sellerId: string; publicKey: string; key: string }

export function alipay(_keys: AlipayKeys, _desk?: URL): Provider {
  throw new Error('Alipay is not there yet')
}
