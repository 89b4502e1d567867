import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomDigits } from '#base/random-digits.ts'

test('the result has the asked number of digits, and digits alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (length) => {
      expect(randomDigits(length)).toMatch(new RegExp(`^\\d{${length}}$`))
    }),
  )
})

test('every digit comes about as often as the others, in every place', () => {
  const drawn = Array.from({ length: 5_000 }, () => randomDigits(4))
  for (const place of [0, 1, 2, 3]) {
    for (const digit of '0123456789') {
      const times = drawn.filter((text) => text[place] === digit).length
      // Eight standard deviations: chance fails this less than once in a billion runs.
      expect(Math.abs(times - 500)).toBeLessThan(170)
    }
  }
})
