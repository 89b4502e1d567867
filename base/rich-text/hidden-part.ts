import { hasAtMost } from '#base/characters.ts'
import type { Doc, Hidden, Lock } from '#base/rich-text/document.ts'
import { isBlank } from '#base/rich-text/to-text.ts'
import { normalizeSecret } from '#base/secret-input.ts'

export type Fault = { code: string; values?: Record<string, string | number> }

export const maxPasswordLength = 50
/** Upper bounds; a site allows less. */
export const maxPrice = { points: 99_999_999, cents: 9_999_999_999 } as const

/** The hidden parts of a document, in order. */
export function partsOf(doc: Doc): Hidden[] {
  return doc.content.filter((block) => block.type === 'hidden')
}

/** The first fault of a document's hidden parts, so that no mistake reveals one. */
export function faultInParts(doc: Doc): Fault | null {
  for (const part of partsOf(doc)) {
    const wrong = faultIn(part)
    if (wrong) return wrong
  }
  return null
}

const code: Record<Lock, string> = {
  password: 'base.hiddenPassword',
  comment: 'base.hiddenUnknown',
  level: 'base.hiddenLevel',
  points: 'base.hiddenPoints',
  balance: 'base.hiddenBalance',
}

function faultIn({ attrs: { id, lock, value }, content }: Hidden): Fault | null {
  // An existing part stays unchanged, whatever its attributes.
  if (!content && id) return null
  if (!fits(lock, value, id))
    return { code: code[lock], values: { max: lock === 'password' ? maxPasswordLength : maxPrice.points, said: value } }
  return !content || isBlank({ type: 'doc', content }) ? { code: 'base.hiddenBlank' } : null
}

function fits(lock: Lock, value: string, id: string | undefined): boolean {
  if (lock === 'comment') return value === ''
  // An empty password keeps the previous one.
  if (lock === 'password')
    return (
      hasAtMost(normalizeSecret(value), maxPasswordLength) && (normalizeSecret(value).trim() !== '' || (value === '' && id !== undefined))
    )
  if (lock === 'level') return /^(?:0|[1-9]\d{0,8})$/.test(value)
  return /^[1-9]\d{0,14}$/.test(value) && Number(value) <= (lock === 'points' ? maxPrice.points : maxPrice.cents)
}
