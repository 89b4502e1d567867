import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const period = 30
const recoveryCodes = 10

/** A new secret, shared with the authenticator app. */
export function newSecret(): Buffer {
  return Buffer.from(new Secret({ size: 20 }).bytes)
}

/** The secret as one types it, and as the URL that an app reads from a QR code. */
export function setupOf(secret: Buffer, { issuer, label }: { issuer: string; label: string }): { secret: string; address: string } {
  const its = secretOf(secret)
  return {
    secret: its.base32,
    address: new TOTP({ issuer: withoutColon(issuer), label: withoutColon(label), secret: its, period }).toString(),
  }
}

// Apps only read the colon between the two names.
function withoutColon(name: string): string {
  return name.replaceAll(/[:：\p{C}\s]+/gu, ' ').trim()
}

/** The half minute that a code belongs to, at most one off from now. Null for a wrong code, or one not later than the last accepted. */
export function stepOf(secret: Buffer, digits: string, last: string): string | null {
  const drift = new TOTP({ secret: secretOf(secret), period }).validate({ token: digits, window: 1 })
  if (drift === null) return null
  const step = Math.floor(Date.now() / 1000 / period) + drift
  return step > Number(last) ? String(step) : null
}

/** Whether this is a code of the app, and no recovery code. */
export function isDigits(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** Ten codes of eighty random bits, in groups that are easy to read. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () =>
    randomBytes(10)
      .toString('hex')
      .replace(/(.{5})(?=.)/g, '$1-'),
  )
}

/** A recovery code in its canonical form. */
export function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/[^0-9a-f]/g, '')
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer })
}
