import { diffArrays } from 'diff'

// Beyond this number of edits a comparison takes too long, and everything counts as new.
const maxEditLength = 4_000

/** The items that two lists have in common, as pairs of their indices. */
export function commonPairs(one: readonly string[], other: readonly string[]): [number, number][] {
  const pairs: [number, number][] = []
  let [at, otherAt] = [0, 0]
  for (const { added, removed, count } of diffArrays([...one], [...other], { maxEditLength }) ?? []) {
    if (!added && !removed) for (let step = 0; step < count; step++) pairs.push([at + step, otherAt + step])
    if (!added) at += count
    if (!removed) otherAt += count
  }
  return pairs
}
