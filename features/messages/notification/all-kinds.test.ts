import { expect, test } from 'vitest'
import { deliveredKinds, notificationKinds } from '#notification/all-kinds.ts'

const files = import.meta.glob<{ notificationKinds: object }>('../../*/*/notification-kinds.ts', { eager: true })
const declared = Object.values(files).flatMap((file) => Object.keys(file.notificationKinds))

test('every feature’s kinds are collected, and no two have one name', () => {
  expect([...new Set<string>([...notificationKinds, ...deliveredKinds])].toSorted()).toEqual(declared.toSorted())
})

test('every kind is a word that the database takes', () => {
  expect(declared.filter((kind) => !/^[a-z][A-Za-z]{0,39}$/.test(kind))).toEqual([])
})
