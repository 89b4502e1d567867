import type { EventFacts } from '#payment/server/inbox.ts'

const mostShown = 20_000

// Signatures, ciphertexts, and secrets of a browser's payment session: they contain nothing about the payment.
const hidden = /^(sign|sign_type|signature|client_secret|ciphertext|nonce|associated_data)$/i

/** The body of an event as text for staff: without signatures and secrets, and with the parsed facts in place of ciphertext. */
export function toldBody(body: Buffer, facts: EventFacts): string {
  const text = body.toString()
  return shownOf(text, facts).slice(0, mostShown)
}

function shownOf(text: string, facts: EventFacts): string {
  const told = jsonIn(text)
  if (told !== undefined) return JSON.stringify(told, (name, value: unknown) => shown(name, value, facts), 2)
  // The fields of a form, one per line.
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
