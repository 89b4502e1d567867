import { expect, test } from 'vitest'
import { byFeature } from '#features/lists/notification-kinds.ts'
import { deliveredKinds, notificationKinds } from '#notification/all-kinds.ts'

const declared = Object.values(byFeature).flatMap((kinds) => Object.keys(kinds))

test('no two features have a kind of one name', () => {
  expect([...new Set<string>([...notificationKinds, ...deliveredKinds])].toSorted()).toEqual(declared.toSorted())
})

test('every kind is a word that the database takes', () => {
  expect(declared.filter((kind) => !/^[a-z][A-Za-z]{0,39}$/.test(kind))).toEqual([])
})
