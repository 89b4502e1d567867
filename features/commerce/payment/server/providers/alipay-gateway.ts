import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { AlipaySdk } from 'alipay-sdk'
import { z } from 'zod'
import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'

export type AlipayKeys = { appId: string; sellerId: string; publicKey: string; key: string }

/** Alipay's code for success. */
export const success = '10000'

const GatewayResponse = z.looseObject({
  code: z.string(),
  msg: z.string().optional(),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
})
/** A response whose signed part was verified. */
export type GatewayResponse = z.infer<typeof GatewayResponse>

const ResponseBody = z.record(z.string(), z.unknown())

export const timeoutMs = 10_000

/** Alipay's gateway: requests are signed with our key, and responses are accepted only with Alipay's signature. */
export function gateway(keys: AlipayKeys, url: URL) {
  return {
    /** The address of Alipay's page on which the payer pays. */
    async page(method: string, content: BizContent, urls: { notifyUrl: string; returnUrl: string }): Promise<string> {
      return (await createSdk(keys, url)).pageExecute(method, 'GET', { bizContent: content, timestamp: beijingText(new Date()), ...urls })
    },

    async ask(method: string, content: BizContent, urls: { notifyUrl?: string } = {}): Promise<GatewayResponse> {
      const sdk = await createSdk(keys, url)
      const body = sdk.sdkExecute(method, { bizContent: content, timestamp: beijingText(new Date()), ...urls })
      const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
      const { text } = await fetchConfigured(url, { method: 'POST', headers, body, timeoutMs, maxBytes: 1_000_000 })
      return verifiedPart(sdk, `${method.replaceAll('.', '_')}_response`, text)
    },

    async isSigned(parameters: Record<string, string>): Promise<boolean> {
      return (await createSdk(keys, url)).checkNotifySignV2(parameters)
    },
  }
}

export type Gateway = ReturnType<typeof gateway>

/** A successful response; throws `NoAnswer` for any other. */
export function checked(data: GatewayResponse): GatewayResponse {
  if (data.code !== success) throw new RequestFailed(`Alipay refuses: ${problemOf(data)}`)
  return data
}

/** Parses a response; throws `NoAnswer` if it does not match the schema. */
export function parseAs<T>(schema: z.ZodType<T>, data: unknown): T {
  const read = schema.safeParse(data)
  if (!read.success) throw new RequestFailed('Alipay answers something that cannot be read', { cause: read.error })
  return read.data
}

export type BizContent = Record<string, string | string[]>

/** The text of a refusal, for staff. */
export function problemOf({ code, msg, sub_code: subCode, sub_msg: subMsg }: Partial<GatewayResponse>): string {
  return `${subMsg ?? msg ?? 'Alipay refuses'} (${subCode ?? code ?? 'without a code'})`
}

async function createSdk({ appId, key, publicKey }: AlipayKeys, url: URL): Promise<AlipaySdk> {
  const { AlipaySdk } = await import('alipay-sdk')
  return new AlipaySdk({
    appId,
    privateKey: privateKeyIn(key),
    keyType: 'PKCS8',
    alipayPublicKey: publicKeyIn(publicKey),
    gateway: url.href,
  })
}

/**
 * The signed part of a response, and only its bytes: anything else in the response may be forged. An unsigned refusal moves nothing
 * either.
 */
function verifiedPart(sdk: AlipaySdk, responseKey: string, text: string): GatewayResponse {
  const body = ResponseBody.safeParse(parseJson(text)).data
  const name = body && responseKey in body ? responseKey : 'error_response'
  const part = GatewayResponse.safeParse(body?.[name]).data
  if (!body || !part) throw new RequestFailed('Alipay answers something that cannot be read')
  if (typeof body.sign !== 'string') throw new RequestFailed(`Alipay refuses, and does not sign it: ${problemOf(part)}`)
  const signedText = sdk.getSignStr(text, name)
  if (!sdk.rsaCheck(signedText, body.sign))
    throw new RequestFailed('The answer is signed by another key than the public key of Alipay that is set')
  return GatewayResponse.parse(JSON.parse(signedText))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function privateKeyIn(text: string): string {
  return derIn(text, ['pkcs8', 'pkcs1'], 'The private key of the app', (key, type) =>
    createPrivateKey({ key, format: 'der', type }).export({ format: 'der', type: 'pkcs8' }),
  )
}

function publicKeyIn(text: string): string {
  return derIn(text, ['spki', 'pkcs1'], 'The public key of Alipay', (key, type) => {
    return createPublicKey({ key, format: 'der', type }).export({ format: 'der', type: 'spki' })
  })
}

/** Reads a key in any copied form: as PEM, with its lines joined, or as one line without header and footer. */
function derIn<T extends string>(text: string, types: readonly T[], name: string, read: (key: Buffer, type: T) => Buffer): string {
  const bytes = Buffer.from(text.replace(/-----[^-]*-----|\\n|\s/g, ''), 'base64')
  for (const type of types) {
    try {
      return read(bytes, type).toString('base64')
    } catch {
      // It may be of the next type.
    }
  }
  throw new RequestFailed(`${name} cannot be read`)
}

const beijingMs = 8 * 3_600_000

/** A time in Alipay's time zone, which is Beijing's. */
export function beijingText(moment: Date): string {
  return new Date(moment.getTime() + beijingMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Parses a time in that time zone. */
export const beijingTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/)
  .transform((text) => new Date(`${text.replace(' ', 'T')}+08:00`))
  .refine((moment) => !Number.isNaN(moment.getTime()))

/** Parses an amount of Alipay, in yuan with two decimals and a minus sign for refunds. Null if it is invalid. */
export function centsIn(text: string): bigint | null {
  return /^-?(0|[1-9]\d{0,9})\.\d\d$/.test(text) ? BigInt(text.replace('.', '')) : null
}

/** An amount above zero. */
export const amount = z.string().transform((text, context): bigint => {
  const cents = centsIn(text)
  if (cents !== null && cents > 0n) return cents
  context.addIssue({ code: 'custom', message: 'That is no amount' })
  return z.NEVER
})
