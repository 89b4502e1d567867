import { randomInt } from 'node:crypto'

/** Draws an integer from 0 (inclusive) to `below` (exclusive). */
export type Draw = (below: number) => number

/**
 * Cuts an amount into shares of at least 1 that add up to it. Each is drawn uniformly between 1 and twice the mean of the remainder, less
 * 1; the order is shuffled afterwards, so every place has the same mean and no share exceeds twice the mean by much. Amounts must be
 * below 2^48.
 */
export function cutAtRandom(amount: number, quantity: number, draw: Draw = randomInt): number[] {
  const shares: number[] = []
  let rest = amount
  for (let left = quantity; left > 1; left--) {
    const most = Math.min(Math.floor((2 * rest) / left) - 1, rest - (left - 1))
    const share = 1 + draw(Math.max(1, most))
    shares.push(share)
    rest -= share
  }
  shares.push(rest)
  for (let place = shares.length - 1; place > 0; place--) {
    const other = draw(place + 1)
    const [one = 0, two = 0] = [shares[place], shares[other]]
    shares[place] = two
    shares[other] = one
  }
  return shares
}

/** Cuts an amount into equal shares; the amount must be a multiple of their number. */
export function cutEvenly(amount: number, quantity: number): number[] {
  return Array.from({ length: quantity }, () => amount / quantity)
}
