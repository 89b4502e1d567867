import type { EventFacts } from '#payment/server/inbox.ts'

const maxLength = 20_000

// Signatures, ciphertexts, and secrets of a browser's payment session: they contain nothing about the payment.
const hiddenFields = /^(sign|sign_type|signature|client_secret|ciphertext|nonce|associated_data)$/i

/** The body of an event as text for staff: without signatures and secrets, and with the parsed facts in place of ciphertext. */
export function readableBody(body: Buffer, facts: EventFacts): string {
  const text = body.toString()
  return format(text, facts).slice(0, maxLength)
}

function format(text: string, facts: EventFacts): string {
  const parsed = jsonIn(text)
  if (parsed !== undefined) return JSON.stringify(parsed, (name, value: unknown) => redact(name, value, facts), 2)
  // The fields of a form, one per line.
  if (!/^[\w.]+=/.test(text)) return text
  return [...new URLSearchParams(text)].flatMap(([name, value]) => (hiddenFields.test(name) ? [] : `${name}=${value}`)).join('\n')
}

function redact(name: string, value: unknown, facts: EventFacts): unknown {
  if (hiddenFields.test(name)) return undefined
  return typeof value === 'object' && value !== null && 'ciphertext' in value ? facts : value
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
