import { expect, test } from 'vitest'
import { z } from 'zod'
import { byFeature } from '#features/lists/settings.ts'
import { groups } from '#setting/groups.ts'
import { allSettings, declarationOf, settings, type AnySetting } from '#setting/staff-contract.ts'
import { order } from '../../order.js'

const all = (Object.keys(allSettings) as AnySetting[]).map((name) => ({ name, ...declarationOf(name) }))

test('no two features have a setting of one name', () => {
  const names = Object.values(byFeature).flatMap((its) => Object.keys(its))
  expect(all.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('every name in a record exists: a switch, a number, a feature', () => {
  const schemaOf = (name = ''): z.ZodType | undefined => (settings as Partial<Record<string, { schema: z.ZodType }>>)[name]?.schema
  expect(all.filter(({ shownWith }) => shownWith && !(schemaOf(shownWith) instanceof z.ZodBoolean))).toEqual([])
  expect(all.filter(({ notAbove }) => notAbove && !(schemaOf(notAbove) instanceof z.ZodNumber))).toEqual([])
  const first = Object.values(groups).flatMap((group) => ('first' in group ? [group.first] : []))
  expect(first.filter((feature) => !order.includes(feature))).toEqual([])
})

test('every value is a possible one at first', () => {
  expect(all.filter(({ schema, default: initial }) => !schema.safeParse(initial).success).map(({ name }) => name)).toEqual([])
})
