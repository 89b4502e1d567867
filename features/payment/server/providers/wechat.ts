import type { Provider } from '#payment/server/providers/provider.ts'

export type WechatKeys = {
  merchantId: string
  appId: string
  certificate: string
  key: string
  v3Key: string
  publicKeyId: string
  publicKey: string
}

export function wechat(_keys: WechatKeys, _desk?: URL): Provider {
  throw new Error('WeChat Pay is not there yet')
}
