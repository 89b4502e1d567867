/** The lowest of the places from one to `most` that nobody has; null where so many have one, even where some lie beyond `most`. */
export function lowestFreeNumber(taken: readonly number[], most: number): number | null {
  if (taken.length >= most) return null
  return Array.from({ length: most }, (_, n) => n + 1).find((one) => !taken.includes(one)) ?? null
}
