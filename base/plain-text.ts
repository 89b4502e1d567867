import { z } from 'zod'

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

/** What people type for others to read. */
export const plain = z
  .string()
  .overwrite(plainText)
  .refine((text) => !hasHeapedMarks(text), marked)

/** The same on one line. */
export const plainLine = z
  .string()
  .overwrite(onOneLine)
  .refine((text) => !hasHeapedMarks(text), marked)
