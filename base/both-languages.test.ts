import { expect, test } from 'vitest'
import { z } from 'zod'
import { withLanguageFallback } from '#base/both-languages.ts'

const name = z.string().min(1).max(5).optional()
const form = withLanguageFallback(z.object({ zh: name, en: name, sort: z.int().default(0) }), ['zh', 'en'])

test('a text in one language stands in for the other', () => {
  expect(form.parse({ zh: '茶', en: 'Tea' })).toEqual({ zh: '茶', en: 'Tea', sort: 0 })
  expect(form.parse({ zh: '茶' })).toEqual({ zh: '茶', en: '茶', sort: 0 })
  expect(form.parse({ en: 'Tea', sort: 2 })).toEqual({ zh: 'Tea', en: 'Tea', sort: 2 })
})

test('a name missing in both, or too long in one, is refused at its fields', () => {
  const fieldsOf = (values: object) => form.safeParse(values).error?.issues.map(({ path }) => path[0])
  expect(fieldsOf({})).toEqual(['zh', 'en'])
  expect(fieldsOf({ zh: '茶', en: 'Too long' })).toEqual(['en'])
  expect(fieldsOf({ zh: '' })).toContain('zh')
})
