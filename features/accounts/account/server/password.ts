import { randomInt } from 'node:crypto'

/** Sixteen characters that cannot be mistaken for each other: about 90 bits. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}
