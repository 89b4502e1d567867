import { expect, test } from 'vitest'
import type { MemberRights } from '#base/member-rights.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'

const files = import.meta.glob<{ memberRights: MemberRights }>('../../*/*/member-rights.ts', { eager: true })
const declared = Object.values(files).map(({ memberRights }) => memberRights)

test('every feature’s rights are collected, and no two have one name', () => {
  const names = declared.flatMap(({ perTag, everywhere }) => [...Object.keys(perTag ?? {}), ...Object.keys(everywhere ?? {})])
  expect([...tagRights, ...globalRights].toSorted()).toEqual(names.toSorted())
})
