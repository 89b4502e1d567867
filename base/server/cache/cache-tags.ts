import { AsyncLocalStorage } from 'node:async_hooks'

const collecting = new AsyncLocalStorage<Set<string>>()

/** Runs what makes a page or an answer, and collects in `tags` those that it adds on the way. */
export function collectCacheTags<T>(tags: Set<string>, make: () => Promise<T>): Promise<T> {
  return collecting.run(tags, make)
}

/** Says that what is being made shows these, so that it is dropped from the cache when one of them is invalidated. */
export function addCacheTags(tags: Iterable<string>): void {
  const collected = collecting.getStore()
  if (collected) for (const tag of tags) collected.add(tag)
}
