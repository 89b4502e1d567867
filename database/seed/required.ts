/** The value of a key that the sample's reader has checked. */
export function required<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The sample has no ${key}`)
  return value
}
