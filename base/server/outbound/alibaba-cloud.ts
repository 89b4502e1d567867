import { createHash, createHmac, randomUUID } from 'node:crypto'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'

export type AlibabaKeys = { keyId: string; secret: string }
type Call = AlibabaKeys & { desk: string; action: string; version: string; values: Record<string, string> }
type AlibabaResponse = { status: number; body: Record<string, unknown> }

/** Calls Alibaba Cloud, signed with ACS3-HMAC-SHA256. A response that is no JSON becomes an empty object. */
export async function callAlibabaCloud({ desk, values, ...call }: Call): Promise<AlibabaResponse> {
  const query = canonical(values)
  const address = new URL(`${desk}?${query}`)
  const headers = signedHeaders(address.host, query, call)
  const { status, text } = await fetchConfigured(address, { method: 'POST', headers, maxBytes: 100_000 })
  return { status, body: parseAnswer(text) }
}

function signedHeaders(
  host: string,
  query: string,
  { keyId, secret, action, version }: Omit<Call, 'desk' | 'values'>,
): Record<string, string> {
  const headers: Record<string, string> = {
    host,
    'x-acs-action': action,
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': `${new Date().toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-version': version,
  }
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const request = ['POST', '/', query, lines, names.join(';'), sha256('')].join('\n')
  const signature = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(request)}`)
    .digest('hex')
  const { host: _, ...sent } = headers
  return { ...sent, authorization: `ACS3-HMAC-SHA256 Credential=${keyId},SignedHeaders=${names.join(';')},Signature=${signature}` }
}

function canonical(values: Record<string, string>): string {
  return Object.keys(values)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(values[name] ?? '')}`)
    .join('&')
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
