import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { newSecret, normalizeCode, normalizeSecret } from '#base/secret-input.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

test('a secret is one and the same in every form of Unicode, and its length too', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...forms), (secret, form) => {
      const other = secret.normalize(form)
      expect(normalizeSecret(other)).toBe(normalizeSecret(secret))
      expect(normalizeCode(other)).toBe(normalizeCode(secret))
      const schema = newSecret({ min: 7, max: 30 })
      expect(schema.safeParse(other).success).toBe(schema.safeParse(secret).success)
    }),
    { numRuns: runs(2000) },
  )
})

test('any characters at all come into one form, which stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (secret) => {
      const once = normalizeSecret(secret)
      expect(normalizeSecret(once)).toBe(once)
      expect(normalizeSecret(secret.normalize('NFD'))).toBe(once)
      const code = normalizeCode(secret)
      expect(normalizeCode(code)).toBe(code)
    }),
    { numRuns: runs(5000) },
  )
})

test('invisible characters do not count, and blanks, quotes, dashes and digits are the same in any form', () => {
  const odd = fc.constantFrom('\u200b', '\ufeff', '\u00ad', '\ufe0f', '\u2060', '\u200e', '\u3164')
  fc.assert(
    fc.property(text, odd, fc.nat(40), (secret, sign, at) => {
      expect(normalizeSecret(secret.slice(0, at) + sign + secret.slice(at))).toBe(normalizeSecret(secret.slice(0, at) + secret.slice(at)))
    }),
    { numRuns: runs(1000) },
  )
  expect(normalizeSecret('ｐａｓｓ　１２３－４')).toBe('pass 123-4')
  expect(normalizeSecret('O’Brien — “tea”')).toBe('O\'Brien - "tea"')
  // One key's character on Windows, macOS, Android and Linux, or on a Persian and an Arabic keyboard.
  for (const same of ['～〜∼~', '－−–-', '・･·‧', 'یي', 'کك', "'’′"]) expect(new Set([...same].map(normalizeSecret)).size).toBe(1)
  const nines = ['٩', '۹', '९', '９', '៩', '𝟗', '๙', '𞥙']
  expect(nines.map(normalizeSecret)).toEqual(nines.map(() => '9'))
})

test('a code may be typed in groups, full-width, in digits of any script, and in letters that look the same', () => {
  for (const typed of ['123456', '１２３４５６', ' 123 456 ', '١٢٣٤٥٦', '۱۲۳۴۵۶', '१२३४५६', '123\u200b456', '１２３　４５６'])
    expect(normalizeCode(typed)).toBe('123456')
  expect(normalizeCode('АВС-ае')).toBe('ABC-ae')
})

test('secrets that do not look the same stay apart', () => {
  for (const [one, other] of [
    ['password', 'Password'],
    ['pass word', 'password'],
    ['pässword', 'password'],
    ['茶館', '茶馆'],
    ['a', 'а'],
  ] as const)
    expect(normalizeSecret(one)).not.toBe(normalizeSecret(other))
})
