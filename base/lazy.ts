/** Calls `make` on first use and returns the same value afterwards. */
export function lazy<T>(make: () => T): () => T {
  let cached: { it: T } | null = null
  return () => (cached ??= { it: make() }).it
}
