import { z } from 'zod'
import { isAtLeast, isWithin } from '#base/characters.ts'

// Signs without ink: Braille without a dot, a note without a head, the blanks of hieroglyphs, the place of an object, and what each font has
// for itself. Unicode counts them among signs and letters.
const shown = /[^\s\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/u

/** Whether a text shows anything to whoever reads it. Marks alone, without a letter to stand on, do not. */
export function isSeen(text: string): boolean {
  return shown.test(text)
}

// No script needs as many. They would reach over the lines above and below, and cost their square to be put in order.
const heap = /(?:\p{M}\p{Cf}*){11}/u

/** Whether marks are heaped upon one letter. */
export function hasHeapedMarks(text: string): boolean {
  return heap.test(text)
}

const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** What a person typed as mere text: nothing in it may turn around what stands beside it, and what shows nothing is nothing. */
export function plainText(text: string): string {
  const kept = text
    .replaceAll(turning, '')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .trim()
  return isSeen(kept) ? composed(kept) : ''
}

/** In the one spelling that letters with their marks have. Heaps of marks stay, for they are refused anyway. */
export function composed(text: string): string {
  return hasHeapedMarks(text) ? text : text.normalize('NFC')
}

function onOneLine(text: string): string {
  return plainText(text.replaceAll(turning, '').replaceAll(/[\s\p{Cc}]+/gu, ' '))
}

const marked = { params: { code: 'validation.marks' } }

const TypedString = z.core.$constructor<z.ZodString>('TypedString', (inst, def) => z.ZodString.init(inst, def), {
  min(least) {
    const check = z.minLength(least)
    const { _zod: inner } = check
    inner.check = ({ value, issues }) => {
      if (typeof value !== 'string' || isAtLeast(value, least)) return
      issues.push({ code: 'too_small', origin: 'string', minimum: least, inclusive: true, input: value, inst: check })
    }
    return this.check(check)
  },
  max(most) {
    const check = z.maxLength(most)
    const { _zod: inner } = check
    inner.check = ({ value, issues }) => {
      if (typeof value !== 'string' || isWithin(value, most)) return
      issues.push({ code: 'too_big', origin: 'string', maximum: most, inclusive: true, input: value, inst: check })
    }
    return this.check(check)
  },
})

/** A text that people type: its least and its most are numbers of characters as they count them. */
export const typed: z.ZodString = new TypedString({ type: 'string' })

/** What people type for others to read. */
export const plain = typed.overwrite(plainText).refine((text) => !hasHeapedMarks(text), marked)

/** The same on one line. */
export const plainLine = typed.overwrite(onOneLine).refine((text) => !hasHeapedMarks(text), marked)
