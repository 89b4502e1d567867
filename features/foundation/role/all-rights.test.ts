import { expect, test } from 'vitest'
import type { MemberRights } from '#base/member-rights.ts'
import { byFeature } from '#features/lists/member-rights.ts'
import { functions, globalRights, tagRights } from '#role/all-rights.ts'
import { program, textOf } from '../../../tools/repository.ts'

const declared = Object.values<MemberRights>(byFeature)

test('no two features have a right of one name', () => {
  const names = declared.flatMap(({ perTag, everywhere }) => [...Object.keys(perTag ?? {}), ...Object.keys(everywhere ?? {})])
  expect([...tagRights, ...globalRights].toSorted()).toEqual(names.toSorted())
})

test('every function that a feature declares has a name of its own, and closes a call', () => {
  expect(functions.toSorted()).toEqual(declared.flatMap(({ bannable }) => Object.keys(bannable ?? {})).toSorted())
  const guards = program(/^features\/.*\/server\/.*\.ts$/).flatMap(
    (path) => textOf(path).match(/\b\w*(unless|refuse)Banned\([^)]*\)/gi) ?? [],
  )
  expect(functions.filter((name) => !guards.some((guard) => guard.includes(`'${name}'`)))).toEqual([])
})
