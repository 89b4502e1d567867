import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { cutAtRandom, cutEvenly } from '#red-envelope/server/cut.ts'

const sum = (shares: readonly number[]) => shares.reduce((all, one) => all + one, 0)

describe('shares of a random envelope', () => {
  test('add up to it, and hold at least the smallest unit each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 10_000_000_000 }), (quantity, more) => {
        const shares = cutAtRandom(quantity + more, quantity)
        expect(shares).toHaveLength(quantity)
        expect(sum(shares)).toBe(quantity + more)
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(1)
      }),
      { numRuns: runs(300) },
    )
  })

  test('have the same mean at every place', () => {
    const [rounds, quantity, amount] = [20_000, 5, 1_000]
    const sums = Array.from({ length: quantity }, () => 0)
    for (let round = 0; round < rounds; round++)
      cutAtRandom(amount, quantity).forEach((share, place) => void (sums[place] = (sums[place] ?? 0) + share))
    // The standard deviation of one share is about half its mean; the limit is four standard errors of the mean.
    for (const one of sums) expect(Math.abs(one / rounds - amount / quantity)).toBeLessThan((4 * 150) / Math.sqrt(rounds))
  })

  test('are as wide apart as twice their mean, and hardly more', () => {
    const shares = Array.from({ length: 2_000 }, () => cutAtRandom(10_000, 10)).flat()
    expect(Math.min(...shares)).toBeLessThan(100)
    expect(Math.max(...shares)).toBeGreaterThan(1_900)
    expect(Math.max(...shares)).toBeLessThan(10_000)
  })
})

test('shares of a fixed envelope are equal', () => {
  expect(cutEvenly(60, 3)).toEqual([20, 20, 20])
})
