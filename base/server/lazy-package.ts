import { createRequire } from 'node:module'
import { lazy } from '#base/lazy.ts'

const load = createRequire(import.meta.url)

/** A package that most processes do not need: it is loaded at its first use, and until then takes no memory and no time of the start. */
export function lazyPackage<T>(take: (require: NodeJS.Require) => T): () => T {
  return lazy(() => take(load))
}
