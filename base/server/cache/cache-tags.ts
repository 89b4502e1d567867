import { AsyncLocalStorage } from 'node:async_hooks'

const collecting = new AsyncLocalStorage<Set<string>>()

/** Runs `make` and collects in `tags` the cache tags added while it runs. */
export function collectCacheTags<T>(tags: Set<string>, make: () => Promise<T>): Promise<T> {
  return collecting.run(tags, make)
}

/** Marks the page or answer being made as depending on these tags: invalidating one of them drops it from the cache. */
export function addCacheTags(tags: Iterable<string>): void {
  const collected = collecting.getStore()
  if (collected) for (const tag of tags) collected.add(tag)
}
