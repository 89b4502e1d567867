import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '#apps/web/building/needed-by.ts'
import { declarations } from './one-way.js'
import { addressOf, files, program } from './repository.ts'

/** A folder of a feature or of base, an app, the database. Generated tables, and declarations with the lists of them, are rooms of their own. */
function roomOf(path: string): string {
  if (path === 'database/tables.ts') return path
  const [top = '', second = '', third = '', ...inside] = path.split('/')
  if (top === 'features') return second === 'lists' || Object.hasOwn(declarations, inside.join('/')) ? 'declarations' : third
  return (top === 'base' && third) || top === 'apps' ? `${top}/${second}` : top
}

function roomsWithImports(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const path of [...program(), ...files(/^database\/.*(?<!\.test)\.ts$/)]) {
    const from = roomOf(path)
    const its = rooms.get(from) ?? new Set()
    rooms.set(from, its)
    for (const imported of importsOf(addressOf(path), { withTypes: true })) {
      const to = roomOf(relative(addressOf(''), imported))
      if (to !== from) its.add(to)
    }
  }
  return rooms
}

/** The rooms that reach themselves through others. */
function circle(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reachedFrom = (start: string) => {
    const found = new Set(rooms.get(start))
    for (const room of found) for (const next of rooms.get(room) ?? []) found.add(next)
    return found
  }
  return [...rooms.keys()].filter((room) => reachedFrom(room).has(room))
}

test('no rooms import each other in a circle', () => {
  const rooms = roomsWithImports()
  expect(rooms.size).toBeGreaterThan(70)
  expect(circle(rooms)).toEqual([])
})
