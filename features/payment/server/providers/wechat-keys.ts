import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { NotVerified, WrongKey, type Ending } from '#payment/server/providers/provider.ts'
import { ask, certificatesOf, publicKeyIn, unexpected, type WechatResponse } from '#payment/server/providers/wechat-desk.ts'
import { certificateOf, keyOf, type Way } from '#payment/server/providers/wechat-signing.ts'

/** Queries a nonexistent order, which needs the keys that sign and verify, and the certificates, which need the APIv3 key. */
export async function tryKeys(way: Way): Promise<Ending[]> {
  const { keys } = way
  const certificate = certificateOf(keys)
  if (!certificate.checkPrivateKey(keyOf(keys))) throw new WrongKey('Merchant private key: it does not belong to the merchant certificate')
  if (keys.publicKeyId) publicKeyIn(keys.publicKey)
  const told = await answerFor(way)
  if (told.status === 401)
    throw new WrongKey(`Merchant ID or certificate: WeChat Pay does not know them together. ${told.code}: ${told.message}`)
  if (told.code !== 'ORDER_NOT_EXIST') throw unexpected(told)
  return [
    { name: 'WeChat Pay merchant certificate', endsAt: certificate.validToDate },
    ...(await certificatesOf(way)).map((its) => ({ name: `WeChat Pay certificate ${its.serialNumber}`, endsAt: its.validToDate })),
  ]
}

async function answerFor(way: Way): Promise<WechatResponse> {
  const { keys } = way
  try {
    return await ask(way, { method: 'GET', path: `/v3/pay/transactions/out-trade-no/${'0'.repeat(20)}?mchid=${keys.merchantId}` })
  } catch (error) {
    const cause = error instanceof RequestFailed ? error.cause : null
    if (cause instanceof WrongKey) throw cause
    if (cause instanceof NotVerified && keys.publicKeyId)
      throw new WrongKey('WeChat Pay public key: WeChat Pay signs by another', { cause: error })
    throw error
  }
}
