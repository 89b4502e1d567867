import type { EventFacts } from '#payment/server/inbox.ts'

const mostShown = 20_000

// What signs it, what is encrypted, and what lets a browser go on with a payment: none of it says anything of the payment.
const hidden = /^(sign|sign_type|signature|client_secret|ciphertext|nonce|associated_data)$/i

/**
 * What a provider told, as text that staff may read: without signatures and secrets, and with what was understood of it in place of what is encrypted.
 */
export function toldBody(body: Buffer, facts: EventFacts): string {
  const text = body.toString()
  return shownOf(text, facts).slice(0, mostShown)
}

function shownOf(text: string, facts: EventFacts): string {
  const told = jsonIn(text)
  if (told !== undefined) return JSON.stringify(told, (name, value: unknown) => shown(name, value, facts), 2)
  // Fields of a form, a line each.
  if (!/^[\w.]+=/.test(text)) return text
  return [...new URLSearchParams(text)].flatMap(([name, value]) => (hidden.test(name) ? [] : `${name}=${value}`)).join('\n')
}

function shown(name: string, value: unknown, facts: EventFacts): unknown {
  if (hidden.test(name)) return undefined
  return typeof value === 'object' && value !== null && 'ciphertext' in value ? facts : value
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
