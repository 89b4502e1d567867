/** A pseudo-random generator, the same for the same seed. */
export type Random = {
  /** From 0 up to but not including 1. */
  next(): number
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  shuffle(list: Int32Array): Int32Array
}

/** George Marsaglia's xorshift, on 32 bits. */
export function random(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1

  function next(): number {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }

  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  function pick<T>(list: readonly T[]): T {
    const one = list[below(list.length)]
    if (one === undefined) throw new Error('Nothing to pick from')
    return one
  }

  function shuffle(list: Int32Array): Int32Array {
    for (let last = list.length - 1; last > 0; last--) {
      const other = below(last + 1)
      const picked = at(list, last)
      list[last] = at(list, other)
      list[other] = picked
    }
    return list
  }

  return { next, below, pick, shuffle }
}

/** Draws ranks from 0 on: rank n in proportion to 1 / (n + 1) ** skew. */
export function zipf(ranks: number, skew: number, { next }: Random): () => number {
  const sums = new Float64Array(ranks)
  let sum = 0
  for (let rank = 0; rank < ranks; rank++) sums[rank] = sum += 1 / (rank + 1) ** skew
  return () => firstAbove(sums, next() * sum)
}

/** A number in a list; throws outside of it. */
export function at(list: Int32Array | Float64Array, index: number): number {
  const value = list[index]
  if (value === undefined) throw new RangeError(`There is no ${index} in ${list.length}`)
  return value
}

function firstAbove(sums: Float64Array, goal: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(sums, middle) > goal) high = middle
    else low = middle + 1
  }
  return low
}
