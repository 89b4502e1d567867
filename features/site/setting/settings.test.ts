import { expect, test } from 'vitest'
import { z } from 'zod'
import { groups } from '#setting/groups.ts'
import { allSettings, declarationOf, settings, type AnySetting } from '#setting/staff-contract.ts'
import { settings as site } from '#setting/site-settings.ts'
import { order } from '../../order.js'

const files = import.meta.glob<{ settings: object }>(['../../*/*/settings.ts', '!./settings.ts'], { eager: true })
const all = (Object.keys(allSettings) as AnySetting[]).map((name) => ({ name, ...declarationOf(name) }))

test('every feature’s settings are collected, in the order of features, and no two have one name', () => {
  const declared = new Map(Object.entries(files).map(([path, { settings: its }]) => [path.split('/').at(-2) ?? '', Object.keys(its)]))
  const inOrder = order.flatMap((feature) => declared.get(feature) ?? [])
  expect(all.map(({ name }) => name)).toEqual([...Object.keys(site), ...inOrder])
})

test('what a record names is there: a switch, a number, a feature', () => {
  const schemaOf = (name = ''): z.ZodType | undefined => (settings as Partial<Record<string, { schema: z.ZodType }>>)[name]?.schema
  expect(all.filter(({ shownWith }) => shownWith && !(schemaOf(shownWith) instanceof z.ZodBoolean))).toEqual([])
  expect(all.filter(({ notAbove }) => notAbove && !(schemaOf(notAbove) instanceof z.ZodNumber))).toEqual([])
  const first = Object.values(groups).flatMap((group) => ('first' in group ? [group.first] : []))
  expect(first.filter((feature) => !order.includes(feature))).toEqual([])
})

test('every value is a possible one at first', () => {
  expect(all.filter(({ schema, default: initial }) => !schema.safeParse(initial).success).map(({ name }) => name)).toEqual([])
})
