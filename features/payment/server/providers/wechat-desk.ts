import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { NoAnswer, type Answer } from '#base/server/outbound/safe-fetch.ts'
import { versionOf } from '#base/server/security/secret.ts'
import { NotVerified, WrongKey } from '#payment/server/providers/provider.ts'
import {
  mustBeSigned,
  opened,
  Sealed,
  send,
  type WechatRequest,
  type Way,
  type WechatKeys,
} from '#payment/server/providers/wechat-signing.ts'

const longestMs = 12 * 3_600_000
const pauseMs = 60_000

/** The certificates that WeChat Pay signs by, of one merchant: the old and the new one while they change. */
type Shelf = { certificates: readonly X509Certificate[]; at: number; soughtAt: number; loading: Promise<void> | null }
const shelves = new Map<string, Shelf>()

/** An answer of WeChat Pay: what it says where it does, else by which code it refuses. */
export type WechatResponse = { status: number; says: unknown; code: string; message: string }

/** Asks WeChat Pay. What nobody signed, or somebody else, is no answer; nor is what says that it failed itself, or that it was asked too often. */
export async function ask(way: Way, asked: Omit<WechatRequest, 'body'> & { body?: unknown }): Promise<WechatResponse> {
  try {
    const { body, ...rest } = asked
    const answer = await send(way, { ...rest, ...(body !== undefined && { body: JSON.stringify(body) }) })
    await mustBeAnswered(answer, (serial) => keyNamed(way, serial, new Date()))
    return read(answer)
  } catch (error) {
    // A key of ours that is wrong gets no answer, until staff have mended it.
    const isKnown = [NotVerified, WrongKey, SyntaxError, z.ZodError].some((kind) => error instanceof kind)
    throw isKnown ? noAnswer(error as Error) : error
  }
}

function noAnswer(cause: Error): NoAnswer {
  return new NoAnswer(`WeChat Pay gives no answer that can be used: ${cause.message}`, { cause })
}

/** What it says of an answer that is none of those expected. */
export function unexpected({ status, code, message }: WechatResponse): NoAnswer {
  return new NoAnswer(`WeChat Pay answers ${status} ${code}: ${message}`)
}

/** What an answer says; one of another form is none. */
export function take<T extends z.ZodType>(form: T, { says }: WechatResponse): z.output<T> {
  const { success, data, error } = form.safeParse(says)
  if (!success) throw noAnswer(error)
  return data
}

/** What it tells us by itself: verified and opened. */
export async function openCall(way: Way, { headers, body, at }: RawRequest): Promise<{ id: string; type: string; says: unknown }> {
  const text = body.toString()
  try {
    await mustBeSigned({ headers, body: text, at }, (serial) => keyNamed(way, serial, at))
    const { id, event_type: type, resource } = Notification.parse(JSON.parse(text))
    return { id, type, says: JSON.parse(await opened(way.keys, resource)) }
  } catch (error) {
    // With a wrong key of ours nobody can tell who sent it. It is sent again.
    throw error instanceof WrongKey ? new NotVerified(error.message, { cause: error }) : error
  }
}

const Notification = z.object({ id: z.string().min(1).max(64), event_type: z.string(), resource: Sealed })

/** Which key of WeChat Pay has this number now; null where none has. */
async function keyNamed(way: Way, serial: string, now: Date): Promise<KeyObject | null> {
  const own = publicKeyNamed(way.keys, serial)
  // A merchant who changes to the public key hears by certificates too, for a while.
  if (own || serial.startsWith('PUB_KEY_ID_')) return own
  return certificateNamed(await shelfWith(way, serial, now.getTime()), serial, now)
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

/** The certificates, loaded again where they are old; and for a number that is not among them, as anybody may send one, once a minute. */
async function shelfWith(way: Way, serial: string, now: number): Promise<readonly X509Certificate[]> {
  const { keys, origin } = way
  const name = versionOf([origin.href, keys.merchantId, keys.v3Key])
  const shelf = shelves.get(name) ?? { certificates: [], at: 0, soughtAt: 0, loading: null }
  shelves.set(name, shelf)
  const isKnown = shelf.certificates.some(({ serialNumber }) => serialNumber === serial.toUpperCase())
  if (now - shelf.at >= longestMs) await load(way, shelf)
  else if (!isKnown && (shelf.loading || now - shelf.soughtAt >= pauseMs)) {
    if (!shelf.loading) shelf.soughtAt = now
    await load(way, shelf)
  }
  return shelf.certificates
}

function load(way: Way, shelf: Shelf): Promise<void> {
  shelf.loading ??= certificatesOf(way)
    .then((certificates) => void Object.assign(shelf, { certificates, at: Date.now() }))
    .finally(() => (shelf.loading = null))
  return shelf.loading
}

const Certificates = z.object({ data: z.array(z.object({ encrypt_certificate: Sealed })).max(20) })

/** The certificates as WeChat Pay gives them now: none to merchants who began with its public key. The APIv3 key shows that they are its own. */
export async function certificatesOf(way: Way): Promise<X509Certificate[]> {
  try {
    const answer = await send(way, { method: 'GET', path: '/v3/certificates' })
    const told = read(answer)
    if (told.code === 'RESOURCE_NOT_EXISTS') return []
    if (told.status !== 200) throw unexpected(told)
    const { data } = Certificates.parse(told.says)
    const texts = await Promise.all(data.map(({ encrypt_certificate: sealed }) => opened(way.keys, sealed)))
    const certificates = texts.map((text) => new X509Certificate(text))
    const now = new Date()
    await mustBeAnswered(answer, async (serial) => publicKeyNamed(way.keys, serial) ?? certificateNamed(certificates, serial, now))
    return certificates
  } catch (error) {
    throw error instanceof NoAnswer || error instanceof WrongKey ? error : noAnswer(error as Error)
  }
}

/** It signs whatever it answers to a request that it could verify: what it refuses without a signature may be ours to mend. */
async function mustBeAnswered({ status, headers, text }: Answer, keyNamedSo: (serial: string) => Promise<KeyObject | null>): Promise<void> {
  if (status >= 400 && headers['wechatpay-signature'] === undefined) return
  await mustBeSigned({ headers, body: text, at: new Date() }, keyNamedSo)
}

const Refusal = z.object({ code: z.string(), message: z.string().default('') })

function read({ status, text }: Answer): WechatResponse {
  const says: unknown = text === '' ? null : JSON.parse(text)
  if (status < 400) return { status, says, code: '', message: '' }
  const told = { status, says, ...Refusal.parse(says) }
  if (status >= 500 || status === 429 || told.code === 'FREQUENCY_LIMITED') throw unexpected(told)
  return told
}
