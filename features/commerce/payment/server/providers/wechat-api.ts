import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { RequestFailed, type TextResponse } from '#base/server/outbound/safe-fetch.ts'
import { versionOf } from '#base/server/security/secret.ts'
import { NotVerified, readSigned, Unreadable, WrongKey } from '#payment/server/providers/provider.ts'
import {
  verifySignature,
  decrypt,
  EncryptedResource,
  send,
  type WechatRequest,
  type WechatApi,
  type WechatKeys,
} from '#payment/server/providers/wechat-signing.ts'

const maxAgeMs = 12 * 3_600_000
const reloadPauseMs = 60_000

/** The certificates by which WeChat Pay signs for one merchant: the old and the new one during a rotation. */
type CertificateCache = { certificates: readonly X509Certificate[]; at: number; soughtAt: number; loading: Promise<void> | null }
const caches = new Map<string, CertificateCache>()

/** An answer of WeChat Pay: what it says where it does, else by which code it refuses. */
export type WechatResponse = { status: number; says: unknown; code: string; message: string }

/** Sends a request to WeChat Pay. An unsigned or wrongly signed response, an internal error and a rate limit throw `NoAnswer`. */
export async function request(api: WechatApi, options: Omit<WechatRequest, 'body'> & { body?: unknown }): Promise<WechatResponse> {
  try {
    const { body, ...rest } = options
    const answer = await send(api, { ...rest, ...(body !== undefined && { body: JSON.stringify(body) }) })
    await verifyResponse(answer, (serial) => keyNamed(api, serial, new Date()))
    return readResponse(answer)
  } catch (error) {
    // A wrong key of ours gets no answer until staff correct it.
    const isKnown = [NotVerified, WrongKey, SyntaxError, z.ZodError].some((kind) => error instanceof kind)
    throw isKnown ? noAnswer(error as Error) : error
  }
}

function noAnswer(cause: Error): RequestFailed {
  return new RequestFailed(`WeChat Pay gives no answer that can be used: ${cause.message}`, { cause })
}

/** The error for an unexpected response. */
export function unexpected({ status, code, message }: WechatResponse): RequestFailed {
  return new RequestFailed(`WeChat Pay answers ${status} ${code}: ${message}`)
}

/** Parses the content of a response; throws `NoAnswer` if it does not match the schema. */
export function parse<T extends z.ZodType>(schema: T, { says }: WechatResponse): z.output<T> {
  const { success, data, error } = schema.safeParse(says)
  if (!success) throw noAnswer(error)
  return data
}

/** Verifies and decrypts a notification. */
export async function openNotification(
  api: WechatApi,
  { headers, body, at }: RawRequest,
): Promise<{ id: string; type: string; says: unknown }> {
  const text = body.toString()
  await verifySignature({ headers, body: text, at }, (serial) => keyNamed(api, serial, at)).catch((error: unknown) => {
    // With a wrong key of ours the sender cannot be verified. The notification is repeated.
    throw error instanceof WrongKey ? new NotVerified(error.message, { cause: error }) : error
  })
  const { id, event_type: type, resource } = await readSigned(() => Notification.parse(JSON.parse(text)))
  const opened = await decrypt(api.keys, resource).catch((error: unknown) => {
    if (!(error instanceof WrongKey)) throw error
    throw new Unreadable(error.message, { cause: error, eventId: id, mayBeRepeated: true })
  })
  return { id, type, says: await readSigned(() => JSON.parse(opened) as unknown) }
}

const Notification = z.object({ id: z.string().min(1).max(64), event_type: z.string(), resource: EncryptedResource })

/** WeChat Pay's key with this serial number; null if there is none. */
async function keyNamed(api: WechatApi, serial: string, now: Date): Promise<KeyObject | null> {
  const own = publicKeyNamed(api.keys, serial)
  // A merchant who migrates to the public key still receives signatures by certificates for a while.
  if (own || serial.startsWith('PUB_KEY_ID_')) return own
  return certificateNamed(await cachedCertificates(api, serial, now.getTime()), serial, now)
}

function publicKeyNamed({ publicKeyId, publicKey }: WechatKeys, serial: string): KeyObject | null {
  return publicKeyId !== '' && serial === publicKeyId ? publicKeyIn(publicKey) : null
}

export function publicKeyIn(text: string): KeyObject {
  try {
    return createPublicKey(text)
  } catch (error) {
    throw new WrongKey('WeChat Pay public key: it cannot be read', { cause: error })
  }
}

function certificateNamed(certificates: readonly X509Certificate[], serial: string, now: Date): KeyObject | null {
  const found = certificates.find(({ serialNumber }) => serialNumber === serial.toUpperCase())
  return found && found.validFromDate <= now && now <= found.validToDate ? found.publicKey : null
}

/** The certificates, reloaded when they are old, and at most once a minute for an unknown serial number, because anybody may send one. */
async function cachedCertificates(api: WechatApi, serial: string, now: number): Promise<readonly X509Certificate[]> {
  const { keys, origin } = api
  const name = versionOf([origin.href, keys.merchantId, keys.v3Key])
  const cache = caches.get(name) ?? { certificates: [], at: 0, soughtAt: 0, loading: null }
  caches.set(name, cache)
  const isKnown = cache.certificates.some(({ serialNumber }) => serialNumber === serial.toUpperCase())
  if (now - cache.at >= maxAgeMs) await load(api, cache)
  else if (!isKnown && (cache.loading || now - cache.soughtAt >= reloadPauseMs)) {
    if (!cache.loading) cache.soughtAt = now
    await load(api, cache)
  }
  return cache.certificates
}

function load(api: WechatApi, cache: CertificateCache): Promise<void> {
  cache.loading ??= certificatesOf(api)
    .then((certificates) => void Object.assign(cache, { certificates, at: Date.now() }))
    .finally(() => (cache.loading = null))
  return cache.loading
}

const Certificates = z.object({ data: z.array(z.object({ encrypt_certificate: EncryptedResource })).max(20) })

/** The current certificates: none for merchants who began with WeChat Pay's public key. The APIv3 key proves their origin. */
export async function certificatesOf(api: WechatApi): Promise<X509Certificate[]> {
  try {
    const answer = await send(api, { method: 'GET', path: '/v3/certificates' })
    const refusal = readResponse(answer)
    if (refusal.code === 'RESOURCE_NOT_EXISTS') return []
    if (refusal.status !== 200) throw unexpected(refusal)
    const { data } = Certificates.parse(refusal.says)
    const texts = await Promise.all(data.map(({ encrypt_certificate: sealed }) => decrypt(api.keys, sealed)))
    const certificates = texts.map((text) => new X509Certificate(text))
    const now = new Date()
    await verifyResponse(answer, async (serial) => publicKeyNamed(api.keys, serial) ?? certificateNamed(certificates, serial, now))
    return certificates
  } catch (error) {
    throw error instanceof RequestFailed || error instanceof WrongKey ? error : noAnswer(error as Error)
  }
}

/** WeChat Pay signs every response to a request that it could verify: an unsigned refusal may be caused by our own keys. */
async function verifyResponse(
  { status, headers, text }: TextResponse,
  findKey: (serial: string) => Promise<KeyObject | null>,
): Promise<void> {
  if (status >= 400 && headers['wechatpay-signature'] === undefined) return
  await verifySignature({ headers, body: text, at: new Date() }, findKey)
}

const Refusal = z.object({ code: z.string(), message: z.string().default('') })

function readResponse({ status, text }: TextResponse): WechatResponse {
  const says: unknown = text === '' ? null : JSON.parse(text)
  if (status < 400) return { status, says, code: '', message: '' }
  const refusal = { status, says, ...Refusal.parse(says) }
  if (status >= 500 || status === 429 || refusal.code === 'FREQUENCY_LIMITED') throw unexpected(refusal)
  return refusal
}
