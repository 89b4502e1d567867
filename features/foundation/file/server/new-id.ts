import { randomBytes } from 'node:crypto'

/** Random, so that addresses cannot be guessed. */
export function newId(): string {
  return `f_${randomBytes(16).toString('base64url')}`
}
