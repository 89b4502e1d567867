import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from '#base/server/security/sealing.ts'

/**
 * The code that a payment of the sandbox takes: twelve characters in groups of four, the same on every server with the forum's key. It is
 * printed where the forum starts, so that only those who run it have it: whether a call comes from this machine cannot be told for certain
 * behind a proxy.
 */
export function sandboxCode(): string {
  return lettersOfCode().replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Whether this is the code, typed with or without its hyphens. */
export function isSandboxCode(typed: string): boolean {
  const [code, given] = [lettersOfCode(), typed.toLowerCase().replaceAll('-', '')]
  return given.length === code.length && timingSafeEqual(Buffer.from(given), Buffer.from(code))
}

function lettersOfCode(): string {
  return keyedHash('sandbox code', '').toString('hex').slice(0, 12)
}
