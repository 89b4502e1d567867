import type { Registry } from 'prom-client'
import { lazyPackage } from '#base/server/lazy-package.ts'

export const prometheus = lazyPackage((load) => load('prom-client') as typeof import('prom-client'))

export type Value = { labels: Record<string, string>; value: number }
type Description = { name: string; help: string; labelNames?: string[] }

export function gauge(registry: Registry, about: Description, read: () => Value[] | Promise<Value[]>): void {
  const values = new (prometheus().Gauge)({
    ...about,
    registers: [registry],
    async collect() {
      const now = await read()
      // A series that is gone must not keep its last value.
      values.reset()
      for (const { labels, value } of now) values.set(labels, value)
    },
  })
}

/** A counter whose total is kept elsewhere. */
export function counter(registry: Registry, about: Description, read: () => Value[]): void {
  const total = new (prometheus().Counter)({
    ...about,
    registers: [registry],
    collect() {
      total.reset()
      for (const { labels, value } of read()) total.inc(labels, value)
    },
  })
}

/** One value for each entry, told apart by one label. */
export function valuesBy(label: string, values: Readonly<Record<string, number>>): Value[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}
