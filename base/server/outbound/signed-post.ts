import { createHmac } from 'node:crypto'
import { fetchConfigured, type TextResponse } from '#base/server/outbound/safe-fetch.ts'

/**
 * Posts JSON to a server of the operator's, with `Teahouse-Signature: t=<seconds>,v1=<hex>`: the HMAC-SHA256 of the seconds, a dot and the
 * body, under the secret.
 */
export async function postSigned({ url, secret }: { url: string; secret: string }, payload: unknown): Promise<TextResponse> {
  const body = JSON.stringify(payload)
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'teahouse-signature': `t=${seconds},v1=${signature}` }
  return fetchConfigured(new URL(url), { method: 'POST', headers, body, maxBytes: 100_000 })
}
