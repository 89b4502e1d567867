import { z } from 'zod'
import { digitOf } from '#base/secret-input.ts'

const ascii = /^[!-~]*$/
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const signs = new Map([
  ['．', '.'],
  ['。', '.'],
  ['｡', '.'],
  ['٫', '.'],
  ['－', '-'],
  ['−', '-'],
  ['＃', '#'],
])
// No typed number is longer.
const maxLength = 100

/**
 * A number, an amount or a count as any keyboard types it: digits of any script as 0 to 9, the points of input methods as dots, and no
 * blanks around it. Whether it is a number is for its reader to check.
 */
export function normalizeNumber(text: string): string {
  if (ascii.test(text) || text.length > maxLength) return text
  return text
    .replaceAll(invisible, '')
    .trim()
    .replaceAll(/\P{ASCII}/gu, (one) => signs.get(one) ?? digitOf(one))
}

/** A field for digits that are a name, such as the number of an order. */
export const typedDigits = z.string().overwrite(normalizeNumber)
