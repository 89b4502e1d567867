import { z } from 'zod'
import { hasAtLeast, hasAtMost } from '#base/characters.ts'

// Characters without ink that Unicode counts among symbols and letters: the Braille blank, a null notehead, blank hieroglyphs, the object
// replacement character, and private-use characters.
const visible = /[^\s\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/u

/** Whether a text has any visible ink. Combining marks without a letter do not count. */
export function hasVisibleText(text: string): boolean {
  return visible.test(text)
}

// No script needs as many. They would overlap the lines above and below, and take quadratic time to normalize.
const stackedMarks = /(?:\p{M}\p{Cf}*){11}/u

/** Whether one letter carries too many combining marks. */
export function hasStackedMarks(text: string): boolean {
  return stackedMarks.test(text)
}

const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g

/** Typed text without formatting: no bidi controls that would reorder its surroundings, and empty if nothing of it is visible. */
export function plainText(text: string): string {
  const cleaned = text
    .replaceAll(bidiControls, '')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .trim()
  return hasVisibleText(cleaned) ? toNfc(cleaned) : ''
}

/** The text in NFC. Excessive combining marks are left alone, because they are refused anyway. */
export function toNfc(text: string): string {
  return hasStackedMarks(text) ? text : text.normalize('NFC')
}

function toOneLine(text: string): string {
  return plainText(text.replaceAll(bidiControls, '').replaceAll(/[\s\p{Cc}]+/gu, ' '))
}

const marksError = { params: { code: 'validation.marks' } }

const TypedString = z.core.$constructor<z.ZodString>('TypedString', (inst, def) => z.ZodString.init(inst, def), {
  min(least) {
    const check = z.minLength(least)
    const { _zod: inner } = check
    inner.check = ({ value, issues }) => {
      if (typeof value !== 'string' || hasAtLeast(value, least)) return
      issues.push({ code: 'too_small', origin: 'string', minimum: least, inclusive: true, input: value, inst: check })
    }
    return this.check(check)
  },
  max(most) {
    const check = z.maxLength(most)
    const { _zod: inner } = check
    inner.check = ({ value, issues }) => {
      if (typeof value !== 'string' || hasAtMost(value, most)) return
      issues.push({ code: 'too_big', origin: 'string', maximum: most, inclusive: true, input: value, inst: check })
    }
    return this.check(check)
  },
})

/** A typed text: `min` and `max` count characters as people see them. */
export const typedString: z.ZodString = new TypedString({ type: 'string' })

/** A typed text that others read. */
export const plainString = typedString.overwrite(plainText).refine((text) => !hasStackedMarks(text), marksError)

/** The same on one line. */
export const plainLine = typedString.overwrite(toOneLine).refine((text) => !hasStackedMarks(text), marksError)
