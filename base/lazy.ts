/** Calls `make` on first use and returns the same value afterwards. */
export function lazy<T>(make: () => T): () => T {
  let made: { it: T } | null = null
  return () => (made ??= { it: make() }).it
}
