import { expect, test } from 'vitest'
import { z } from 'zod'
import { messageOf } from '#base/validation.ts'
import { conditionalFields, refuseUnused } from '#base/unused-fields.ts'

const when = z.enum(['now', 'later'])
const form = refuseUnused(z.object({ when, at: z.string().optional(), days: z.int().default(0), tags: z.array(z.string()).default([]) }), {
  at: (input) => input.when === 'later',
  days: (input) => input.when === 'later',
  tags: (input) => input.when === 'later',
})

function refused(values: unknown, schema: z.ZodType = form): [string, string][] {
  const { error } = schema.safeParse(values)
  return (error?.issues ?? []).map((issue) => [String(issue.path[0]), messageOf(issue).key])
}

test('a field without meaning beside the others is refused, each at its own', () => {
  const values = { at: 'noon', days: 3, tags: ['tea'] }
  expect(refused({ when: 'now', ...values })).toEqual(['at', 'days', 'tags'].map((field) => [field, 'validation.unused']))
  expect(refused({ when: 'later', ...values })).toEqual([])
})

test('an empty field is unused', () => {
  expect(refused({ when: 'now', at: '', days: 0, tags: [] })).toEqual([])
  expect(refused({ when: 'now' })).toEqual([])
})

test('a form that is checked further still refuses it', () => {
  const more = form.refine(() => true).transform((values) => values)
  expect(refused({ when: 'now', days: 3 }, more)).toEqual([['days', 'validation.unused']])
  expect(conditionalFields(form.refine(() => true))).toEqual(['at', 'days', 'tags'])
})
