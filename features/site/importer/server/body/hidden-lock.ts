import { hasAtMost } from '#base/characters.ts'
import type { Lock } from '#base/rich-text/document.ts'
import { maxPasswordLength, maxPrice } from '#base/rich-text/hidden-part.ts'
import { normalizeSecret } from '#base/secret-input.ts'
import { validText } from '#importer/server/body/pieces.ts'

/** The lock of a hidden part, with a value that ours takes. */
export type PartLock = { lock: Lock; value: string }

const maxLevel = 999_999_999

/** A level that nobody reaches: only the author and staff read the text. */
export const nobodyLock: PartLock = { lock: 'level', value: String(maxLevel) }
export const commentLock: PartLock = { lock: 'comment', value: '' }

export function levelLock(points: string): PartLock {
  return { lock: 'level', value: String(Math.min(Number(points), maxLevel)) }
}

export function priceLock(points: number): PartLock {
  return { lock: 'points', value: String(Math.min(Math.max(Math.ceil(points), 1), maxPrice.points)) }
}

/** A password that ours cannot have leaves the text to its author. */
export function passwordLock(password: string, notes: Set<string>): PartLock {
  const value = validText(password)
  const normal = normalizeSecret(value)
  if (value.length <= maxUnits && normal.trim() !== '' && hasAtMost(normal, maxPasswordLength)) return { lock: 'password', value }
  notes.add('password of another kind')
  return nobodyLock
}

const maxUnits = 200
