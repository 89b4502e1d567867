import { postSigned } from '#base/server/outbound/signed-post.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

/** The statuses of a permanent refusal. */
const permanentStatuses = [410, 422]

/** A server of the operator's own, which receives the message, signed. */
export function webhook(endpoint: { url: string; secret: string }): Provider<Text> {
  return {
    name: 'webhook',
    async send(message) {
      const { status } = await postSigned(endpoint, message)
      if (status >= 200 && status < 300) return { is: 'sent', as: null }
      return { is: permanentStatuses.includes(status) ? 'never' : 'later', why: `It answered ${status}` }
    },
  }
}
