import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { postSigned } from '#base/server/outbound/signed-post.ts'
import type { Checker, Verdict } from '#real-name/server/providers/provider.ts'

const Answer = z.object({ id: z.string(), result: z.enum(['same', 'different']), signature: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * A server of the operator's own. It receives the claim and an id, signed, and answers with that id, the result `same` or `different`, and
 * the HMAC-SHA256 of both with a point between them, under the same secret. Any other answer counts as none.
 */
export function webhook(endpoint: { url: string; secret: string }): Checker {
  return {
    name: 'webhook',
    documents: ['chineseId', 'other'],
    async check(claim) {
      const id = randomUUID()
      const { status, text } = await postSigned(endpoint, { id, ...claim })
      return status === 200 ? verdictIn(text, id, endpoint.secret) : 'away'
    },
  }
}

function verdictIn(text: string, id: string, secret: string): Verdict {
  const answer = Answer.safeParse(parsed(text))
  if (!answer.success || answer.data.id !== id) return 'away'
  const { result, signature } = answer.data
  const right = createHmac('sha256', secret).update(`${id}.${result}`).digest()
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? result : 'away'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
