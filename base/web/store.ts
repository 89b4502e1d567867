import { useSyncExternalStore } from 'react'

/** One shared value outside of the component tree, such as the member who is logged in. On the server it keeps its initial value. */
export type Store<T> = {
  get(): T
  set(value: T): void
  use(): T
  /** The same by a function of the value; only a change of its result renders again. */
  useAs<Result>(of: (value: T) => Result): Result
  watch(watcher: () => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const watchers = new Set<() => void>()
  function watch(watcher: () => void): () => void {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  const useAs = <Result>(of: (value: T) => Result) =>
    useSyncExternalStore(
      watch,
      () => of(value),
      () => of(first),
    )
  return {
    watch,
    get: () => value,
    set(next) {
      value = next
      for (const watcher of watchers) watcher()
    },
    useAs,
    use: () => useAs((its) => its),
  }
}
