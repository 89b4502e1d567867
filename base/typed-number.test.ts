import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseFields } from '#base/server/http/form-fields.ts'
import { normalizeNumber } from '#base/typed-number.ts'

test.each([
  ['１０', '10'],
  [' 9 ', '9'],
  ['\u3000１２．５０\u00a0', '12.50'],
  ['１２。５', '12.5'],
  ['١٢٫٥', '12.5'],
  ['१२', '12'],
  ['\u200b7\ufeff', '7'],
  ['－５', '-5'],
  ['＃１２', '#12'],
])('%j is read as %j', (typed, number) => {
  expect(normalizeNumber(typed)).toBe(number)
})

test.each(['1²', '①', '½', '十', '1 0', '１，０００', '１ｅ３'])('%j, which looks like no plain number, becomes none', (typed) => {
  expect(normalizeNumber(typed)).not.toMatch(/^-?\d+(\.\d+)?$/)
})

test('a count in a form is the same from any keyboard, and a text stays as it was typed', () => {
  const schema = z.object({ count: z.int().optional(), title: z.string() })
  const read = (count: string) =>
    parseFields(schema, [
      ['count', count],
      ['title', ' ５ '],
    ])
  for (const count of ['5', '５', '\u3000５', '٥']) expect(read(count)).toEqual({ count: 5, title: ' ５ ' })
  for (const count of ['', '5a', '⁵', '1,000']) expect(read(count)).toEqual({ count, title: ' ５ ' })
})
