/** The lowest free number from one to `most`; null if `most` are taken, even if some of them lie beyond `most`. */
export function lowestFreeNumber(taken: readonly number[], most: number): number | null {
  if (taken.length >= most) return null
  return Array.from({ length: most }, (_, n) => n + 1).find((one) => !taken.includes(one)) ?? null
}
