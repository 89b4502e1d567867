import { randomInt } from 'node:crypto'

/** Draws a whole number from 0 up to, and without, `below`. */
export type Draw = (below: number) => number

/**
 * Cuts an amount into shares of at least 1 that add up to it. Each is drawn evenly between 1 and twice the mean of what is left, less 1, and their
 * order is shuffled afterwards: so every place has the same mean, and nobody gets much more than twice of it. Amounts below 2^48.
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

/** Cuts an amount into equal shares; it is a multiple of their number. */
export function cutEvenly(amount: number, quantity: number): number[] {
  return Array.from({ length: quantity }, () => amount / quantity)
}
