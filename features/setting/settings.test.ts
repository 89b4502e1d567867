import { expect, test } from 'vitest'
import { z } from 'zod'
import { groups } from '#setting/groups.ts'
import { allSettings, declarationOf, settings, type AnySetting } from '#setting/staff-contract.ts'
import { settings as site } from '#setting/site-settings.ts'
import { order } from '../order.js'

const files = import.meta.glob<{ settings: object }>(['../*/settings.ts', '!./settings.ts'], { eager: true })
const all = (Object.keys(allSettings) as AnySetting[]).map((name) => ({ name, ...declarationOf(name) }))

test('every feature’s settings are collected, in the order of features, and no two have one name', () => {
  const declared = new Map(Object.entries(files).map(([path, { settings: its }]) => [path.split('/')[1] ?? '', Object.keys(its)]))
  const inOrder = order.flatMap((feature) => declared.get(feature) ?? [])
  expect(all.map(({ name }) => name)).toEqual([...Object.keys(site), ...inOrder])
})

test('what a record names is there: a switch, a number, a feature', () => {
  const schemas: Readonly<Record<string, { schema: z.ZodType }>> = settings
  for (const { name, shownWith, notAbove } of all) {
    if (shownWith) expect([name, schemas[shownWith]?.schema]).toEqual([name, expect.any(z.ZodBoolean)])
    if (notAbove) expect([name, schemas[notAbove]?.schema]).toEqual([name, expect.any(z.ZodNumber)])
  }
  const first = Object.values(groups).flatMap((group) => ('first' in group ? [group.first] : []))
  expect(first.filter((feature) => !order.includes(feature))).toEqual([])
})

test('every value is a possible one at first', () => {
  expect(all.filter(({ schema, default: initial }) => !schema.safeParse(initial).success).map(({ name }) => name)).toEqual([])
})
