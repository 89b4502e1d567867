import { AsyncLocalStorage } from 'node:async_hooks'

const notes = new AsyncLocalStorage<Set<string>>()

/** Runs what makes a page or an answer, and writes down in `tags` all that it notes on the way. */
export function noting<T>(tags: Set<string>, make: () => Promise<T>): Promise<T> {
  return notes.run(tags, make)
}

/** Says that what is being made shows these, so that it is dropped when one of them is touched. */
export function note(tags: Iterable<string>): void {
  const noted = notes.getStore()
  if (noted) for (const tag of tags) noted.add(tag)
}
