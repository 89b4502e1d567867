import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { NotVerified, WrongKey, type KeyExpiry } from '#payment/server/providers/provider.ts'
import { request, certificatesOf, publicKeyIn, unexpected, type WechatResponse } from '#payment/server/providers/wechat-api.ts'
import { certificateOf, keyOf, type WechatApi } from '#payment/server/providers/wechat-signing.ts'

/** Queries a nonexistent order, which needs the keys that sign and verify, and the certificates, which need the APIv3 key. */
export async function tryKeys(api: WechatApi): Promise<KeyExpiry[]> {
  const { keys } = api
  const certificate = certificateOf(keys)
  if (!certificate.checkPrivateKey(keyOf(keys))) throw new WrongKey('Merchant private key: it does not belong to the merchant certificate')
  if (keys.publicKeyId) publicKeyIn(keys.publicKey)
  const response = await queryUnknownOrder(api)
  if (response.status === 401)
    throw new WrongKey(`Merchant ID or certificate: WeChat Pay does not know them together. ${response.code}: ${response.message}`)
  if (response.code !== 'ORDER_NOT_EXIST') throw unexpected(response)
  return [
    { name: 'WeChat Pay merchant certificate', endsAt: certificate.validToDate },
    ...(await certificatesOf(api)).map((its) => ({ name: `WeChat Pay certificate ${its.serialNumber}`, endsAt: its.validToDate })),
  ]
}

async function queryUnknownOrder(api: WechatApi): Promise<WechatResponse> {
  const { keys } = api
  try {
    return await request(api, { method: 'GET', path: `/v3/pay/transactions/out-trade-no/${'0'.repeat(20)}?mchid=${keys.merchantId}` })
  } catch (error) {
    const cause = error instanceof RequestFailed ? error.cause : null
    if (cause instanceof WrongKey) throw cause
    if (cause instanceof NotVerified && keys.publicKeyId)
      throw new WrongKey('WeChat Pay public key: WeChat Pay signs by another', { cause: error })
    throw error
  }
}
