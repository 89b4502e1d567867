import { z } from 'zod'

/** What a person typed as mere text: nothing in it may turn around what stands beside it, and what shows nothing is nothing. */
export function plainText(text: string): string {
  const shown = text.replaceAll(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  // U+2800 is the pattern of Braille without a dot.
  return /[^\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(shown) ? shown : ''
}

/** What people type for others to read. */
export const plain = z.string().overwrite(plainText)
