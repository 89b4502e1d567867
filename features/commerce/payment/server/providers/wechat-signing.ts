import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { fetchConfigured, type TextResponse } from '#base/server/outbound/safe-fetch.ts'
import { NotVerified, WrongKey } from '#payment/server/providers/provider.ts'

/** Keys of the merchant and of WeChat Pay, in PEM. Without its public key, WeChat Pay signs by certificates. */
export type WechatKeys = {
  merchantId: string
  appId: string
  certificate: string
  key: string
  v3Key: string
  publicKeyId: string
  publicKey: string
  /** The secret of the official account, which identifies a payer inside WeChat. Empty if payment there is unavailable. */
  appSecret: string
}

export type WechatApi = { keys: WechatKeys; origin: URL }
export type WechatRequest = { method: 'GET' | 'POST'; path: string; body?: string; timeoutMs?: number; maxBytes?: number }

const timeoutMs = 10_000
const maxAgeMs = 5 * 60_000

/** Loaded only on use. */
export const loadLibrary = () => import('wechatpay-axios-plugin')

/** Sends a request signed by the merchant. Returns the raw response. */
export async function send({ keys, origin }: WechatApi, { method, path, body = '', ...limits }: WechatRequest): Promise<TextResponse> {
  const { Formatter, Rsa } = await loadLibrary()
  const address = new URL(path, origin)
  const [at, nonce] = [Formatter.timestamp(), Formatter.nonce()]
  const signature = Rsa.sign(Formatter.request(method, address.pathname + address.search, at, nonce, body), keyOf(keys))
  const headers = {
    accept: 'application/json',
    authorization: Formatter.authorization(keys.merchantId, nonce, signature, at, certificateOf(keys).serialNumber),
    ...(body && { 'content-type': 'application/json' }),
    // The response is signed by the key that is named here, and by a certificate if there is none.
    ...(keys.publicKeyId && { 'wechatpay-serial': keys.publicKeyId }),
  }
  return fetchConfigured(address, { method, headers, timeoutMs, ...limits, ...(body && { body }) })
}

/** Signs lines as WeChat Pay requires within its app. */
export async function signLines(keys: WechatKeys, ...lines: string[]): Promise<string> {
  const { Formatter, Rsa } = await loadLibrary()
  return Rsa.sign(Formatter.joinedByLineFeed(...lines), keyOf(keys))
}

type SignedMessage = { headers: IncomingHttpHeaders; body: string; at: Date }

/**
 * Throws `NotVerified` for a signature that is invalid or older than five minutes. WeChat Pay occasionally sends a wrong signature, which
 * begins with WECHATPAY/SIGNTEST/, to test that it is rejected.
 */
export async function verifySignature(
  { headers, body, at }: SignedMessage,
  keyNamed: (serial: string) => Promise<KeyObject | null>,
): Promise<void> {
  const [timestamp, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map((name) => headers[`wechatpay-${name}`])
  if (!isText(timestamp) || !isText(nonce) || !isText(signature) || !isText(serial)) throw new NotVerified('It is not signed')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(at.getTime() - Number(timestamp) * 1000) > maxAgeMs)
    throw new NotVerified('It was signed too long ago')
  const key = await keyNamed(serial)
  if (!key) throw new NotVerified('No key of WeChat Pay has this number')
  const { Formatter, Rsa } = await loadLibrary()
  if (!Rsa.verify(Formatter.response(timestamp, nonce, body), signature, key)) throw new NotVerified('The signature is not WeChat Pay’s')
}

function isText(value: string | string[] | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

export const EncryptedResource = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().default(''),
})

export async function decrypt(
  { v3Key }: WechatKeys,
  { ciphertext, nonce, associated_data: about }: z.infer<typeof EncryptedResource>,
): Promise<string> {
  const { Aes } = await loadLibrary()
  try {
    return Aes.AesGcm.decrypt(ciphertext, v3Key, nonce, about)
  } catch (error) {
    throw new WrongKey('APIv3 key: it does not open what WeChat Pay encrypted', { cause: error })
  }
}

/** The merchant's certificate, whose serial number identifies the signing key to WeChat Pay. */
export function certificateOf({ certificate }: WechatKeys): X509Certificate {
  try {
    return new X509Certificate(certificate)
  } catch (error) {
    throw new WrongKey('Merchant certificate: it cannot be read', { cause: error })
  }
}

export function keyOf({ key }: WechatKeys): KeyObject {
  try {
    return createPrivateKey(key)
  } catch (error) {
    throw new WrongKey('Merchant private key: it cannot be read', { cause: error })
  }
}
