/** What `make` gives, made when it is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { it: T } | null = null
  return () => (made ??= { it: make() }).it
}
