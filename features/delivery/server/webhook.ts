import { postSigned } from '#base/server/outbound/signed-post.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

/** What says that it will not take a message, whenever it is asked. */
const never = [410, 422]

/** A server of one's own, which is sent the message, signed. */
export function webhook(whom: { url: string; secret: string }): Provider<Text> {
  return {
    name: 'webhook',
    async send(message) {
      const { status } = await postSigned(whom, message)
      if (status >= 200 && status < 300) return { is: 'sent', as: null }
      return { is: never.includes(status) ? 'never' : 'later', why: `It answered ${status}` }
    },
  }
}
