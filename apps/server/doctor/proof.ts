import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from '#base/server/security/sealing.ts'

/** The header by which the doctor shows that it has the forum's key. */
export const proofHeader = 'teahouse-doctor'

const goodForMs = 5 * 60_000

/**
 * A proof for one path, good for minutes. It passes through whatever answers at the public address, so it opens nothing else.
 */
export function proofFor(path: string, now = Date.now()): string {
  const until = now + goodForMs
  return `${until}.${hashOf(path, until)}`
}

export function isProof(text: unknown, path: string, now = Date.now()): boolean {
  const [, until = '', hash = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(String(text)) ?? []
  const left = Number(until) - now
  // The clock of the doctor may be another one.
  if (hash === '' || left < 0 || left > 2 * goodForMs) return false
  return timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(path, Number(until))))
}

/** The answer to a nonce that only a forum with the same key can give. */
export function identityFor(nonce: string): string {
  return keyedHash('doctor identity', nonce).toString('base64url')
}

function hashOf(path: string, until: number): string {
  return keyedHash('doctor', JSON.stringify([path, until])).toString('base64url')
}
