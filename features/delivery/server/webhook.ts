import { createHmac } from 'node:crypto'
import { askNamed } from '#base/server/safe-fetch.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

/** What says that it will not take a message, whenever it is asked. */
const never = [410, 422]

/**
 * A server of one's own. It is sent the message as JSON, with `Teahouse-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 of the seconds, a point and the
 * body, under the secret.
 */
export function webhook({ url, secret }: { url: string; secret: string }): Provider<Text> {
  return {
    name: 'webhook',
    async send(message) {
      const body = JSON.stringify(message)
      const seconds = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'teahouse-signature': `t=${seconds},v1=${signature}` }
      const { status } = await askNamed(new URL(url), { method: 'POST', headers, body, mostBytes: 100_000 })
      if (status >= 200 && status < 300) return { is: 'sent', as: null }
      return { is: never.includes(status) ? 'never' : 'later', why: `It answered ${status}` }
    },
  }
}
