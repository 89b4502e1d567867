import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountField, parseAmount } from '#wallet/contract.ts'

const odd = [
  '-1',
  '0',
  '-0',
  '0.001',
  '1e3',
  '1,000',
  '+1',
  '0x10',
  'NaN',
  'Infinity',
  '',
  '1.1.1',
  '1e-7',
  '007',
  '1234567890123',
  '9007199254740993',
  '12345678901234567890',
  '.5',
  '1.',
  '0.00',
  '1_000',
]
const noText = [null, undefined, [], {}, true, 1, 1.5, 9_007_199_254_740_993n]

test('an invalid amount is refused in either currency', () => {
  for (const text of odd.filter((one) => one !== '1.00')) {
    expect([text, parseAmount('points', text)]).toEqual([text, null])
    expect([text, parseAmount('cny', text)]).toEqual([text, null])
  }
  for (const value of noText)
    for (const currency of ['points', 'cny'] as const) expect(amountField(currency).safeParse(value).success).toBe(false)
  for (const text of ['0.5', '1.50', '12.5']) expect(parseAmount('points', text)).toBeNull()
})

test.each([
  ['１０', '10'],
  [' 9 ', '9'],
  ['\u3000１２．５０\u00a0', '12.50'],
  ['１２。５', '12.5'],
  ['١٢٫٥', '12.5'],
  ['\u200b7', '7'],
  ['𝟙𝟘', '10'],
])('%j is the amount that it looks like', (typed, amount) => {
  expect(parseAmount('cny', typed)).toBe(parseAmount('cny', amount))
  expect(parseAmount('cny', typed)).not.toBeNull()
})

test.each(['１，０００', '１ ０', '十', '①', '1²', '½', '＋１', '－１', '１ｅ３', '０'])('%j is none', (typed) => {
  expect([parseAmount('cny', typed), parseAmount('points', typed)]).toEqual([null, null])
})

test('yuan become whole cents, without a rounding', () => {
  expect([parseAmount('cny', '12.50'), parseAmount('cny', '0.01'), parseAmount('cny', '7'), parseAmount('cny', '9999999999.99')]).toEqual([
    1250n,
    1n,
    700n,
    999_999_999_999n,
  ])
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999n }), (cents) => {
      expect(parseAmount('cny', `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`)).toBe(cents)
      expect(parseAmount('points', String(cents))).toBe(cents)
    }),
  )
})
