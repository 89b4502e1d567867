/**
 * Upper bounds of the buckets, in milliseconds. Each is about half as large again as the one before, which bounds the error of a
 * percentile.
 */
const ends = [0.5, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]

/** The last bucket is unbounded. */
export const bucketCount = ends.length + 1

export function bucketOf(ms: number): number {
  const bucket = ends.findIndex((end) => ms <= end)
  return bucket < 0 ? ends.length : bucket
}

/** A percentile in milliseconds, interpolated within its bucket. 0 without data. */
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
