import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDecimals, multiplyDecimals } from '#base/decimal.ts'

const decimal = fc
  .record({ isBelow: fc.boolean(), whole: fc.bigInt({ min: 0n, max: 10n ** 20n }), fraction: fc.stringMatching(/^\d{0,12}$/) })
  .map(({ isBelow, whole, fraction }) => `${isBelow ? '-' : ''}${whole}${fraction && `.${fraction}`}`)

test.each([
  ['0.1', '0.2', '0.3', '0.02'],
  [0.1, 0.2, '0.3', '0.02'],
  ['1.10', '2', '3.10', '2.20'],
  ['-0.05', '0.05', '0.00', '-0.0025'],
  ['99999999999999999999.99', '0.01', '100000000000000000000.00', '999999999999999999.9999'],
  [1e-7, 1e21, '1000000000000000000000.0000001', '100000000000000.0000000'],
  ['-0', '0', '0', '0'],
])('%s and %s', (one, other, sum, product) => {
  expect(addDecimals(one, other)).toBe(sum)
  expect(multiplyDecimals(one, other)).toBe(product)
})

test('a text that is no decimal number is refused', () => {
  for (const value of ['', ' 1', '1.', '.5', '1,5', '0x10', '1e5', 'one', NaN, Infinity]) {
    expect(() => addDecimals(value, 1)).toThrow(RangeError)
    expect(() => multiplyDecimals(1, value)).toThrow(RangeError)
  }
})

test('sums and products are exact, with as many places as the specification says', () => {
  fc.assert(
    fc.property(decimal, decimal, (one, other) => {
      const [sum, product] = [addDecimals(one, other), multiplyDecimals(one, other)]
      expect(placesOf(sum)).toBe(Math.max(placesOf(one), placesOf(other)))
      expect(placesOf(product)).toBe(placesOf(one) + placesOf(other))
      expect(billionths(sum)).toBe(billionths(one) + billionths(other))
      expect(billionths(product) * 10n ** 24n).toBe(billionths(one) * billionths(other))
    }),
  )
})

test('addition is commutative, zero is neutral, and an addition can be reversed', () => {
  fc.assert(
    fc.property(decimal, decimal, (one, other) => {
      expect(addDecimals(one, other)).toBe(addDecimals(other, one))
      expect(multiplyDecimals(one, other)).toBe(multiplyDecimals(other, one))
      expect(billionths(addDecimals(addDecimals(one, other), multiplyDecimals(other, '-1')))).toBe(billionths(one))
      expect(billionths(addDecimals(one, '0'))).toBe(billionths(one))
    }),
  )
})

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

// 24 places hold every product of two numbers with 12 places.
function billionths(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(24, '0'))
  return text.startsWith('-') ? -units : units
}
