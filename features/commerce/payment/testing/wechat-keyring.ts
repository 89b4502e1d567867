import { createCipheriv, createPublicKey, createVerify, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { WechatKeys } from '#payment/server/providers/wechat.ts'
import { aCertificate, type Certified } from '#payment/testing/certificate.ts'

export type Signer = Pick<Certified, 'serial' | 'key'>

/** The keys of a merchant and of WeChat Pay, which signs by certificates or by a public key, with the operations of both sides. */
export function createKeyring(isKeyed: boolean) {
  const merchant = aCertificate('Merchant')
  const publicKey = isKeyed ? { key: aCertificate('Key').key, serial: 'PUB_KEY_ID_0000000000000024101100397200000006' } : null
  const keys: WechatKeys = {
    merchantId: '1900000109',
    appId: 'wx8888888888888888',
    certificate: merchant.certificate,
    key: merchant.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    v3Key: randomBytes(16).toString('hex'),
    publicKeyId: publicKey?.serial ?? '',
    publicKey: publicKey ? createPublicKey(publicKey.key).export({ type: 'spki', format: 'pem' }).toString() : '',
    appSecret: randomBytes(16).toString('hex'),
  }
  // The newest first, which signs.
  const platform = isKeyed ? [] : [aCertificate('Tenpay')]

  function signer(): Signer {
    const now = publicKey ?? platform[0]
    if (!now) throw new Error('WeChat Pay has no key')
    return now
  }

  function signed(body: string, { serial, key }: Signer, at = Date.now()): Record<string, string> {
    const [timestamp, nonce] = [String(Math.floor(at / 1000)), randomBytes(16).toString('hex')]
    const signature = sign('sha256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key).toString('base64')
    return { 'wechatpay-timestamp': timestamp, 'wechatpay-nonce': nonce, 'wechatpay-serial': serial, 'wechatpay-signature': signature }
  }

  function sealed(plain: string, about: string, v3Key = keys.v3Key) {
    const nonce = randomBytes(6).toString('hex')
    const cipher = createCipheriv('aes-256-gcm', v3Key, nonce).setAAD(Buffer.from(about))
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
    return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: about }
  }

  return { merchant, keys, platform, signer, signed, sealed }
}

export type WechatKeyring = ReturnType<typeof createKeyring>

/** Whether the merchant signed a request recently. */
export function isFromMerchant({ merchant, keys }: WechatKeyring, authorization: string, line: string, body: string): boolean {
  const its = Object.fromEntries([...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const message = `${line}\n${its['timestamp']}\n${its['nonce_str']}\n${body}\n`
  return (
    authorization.startsWith('WECHATPAY2-SHA256-RSA2048 ') &&
    its['mchid'] === keys.merchantId &&
    its['serial_no'] === merchant.serial &&
    Math.abs(Date.now() / 1000 - Number(its['timestamp'])) < 300 &&
    createVerify('sha256')
      .update(message)
      .verify(createPublicKey(merchant.key), its['signature'] ?? '', 'base64')
  )
}

export function isSignedBy(key: KeyObject, message: string, signature: string): boolean {
  return createVerify('sha256').update(message).verify(createPublicKey(key), signature, 'base64')
}
