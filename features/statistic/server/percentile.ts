/** Where buckets end, in milliseconds. Each is about half as wide again as the one before, so that what is told errs by that much at most. */
const ends = [0.5, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]

/** The last has no end. */
export const bucketCount = ends.length + 1

export function bucketOf(ms: number): number {
  const bucket = ends.findIndex((end) => ms <= end)
  return bucket < 0 ? ends.length : bucket
}

/** How many milliseconds this part of all took at most, as if they lay evenly within their bucket. 0 where there are none. */
export function percentile(counts: readonly number[], part: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let left = all * part
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && left <= count) return between(bucket, left / count)
    left -= count
  }
  return 0
}

function between(bucket: number, part: number): number {
  const begin = ends[bucket - 1] ?? 0
  const end = ends[bucket] ?? begin
  return Math.round((begin + (end - begin) * part) * 10) / 10
}
