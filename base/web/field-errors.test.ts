import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortErrors } from '#base/web/field-errors.ts'

const known = new Set(['title', 'tags', 'hint_question'])

test.each([
  ['a field of the form', { title: 'No' }, { title: 'No' }, ''],
  ['a part of a field', { tags_2: 'No' }, { tags_2: 'No', tags: 'No' }, ''],
  ['parts of one field', { tags_1: 'No', tags_2: 'Nor this' }, { tags_1: 'No', tags_2: 'Nor this', tags: 'No\nNor this' }, ''],
  ['a field and its part', { tags: 'Too few', tags_1: 'No' }, { tags: 'Too few\nNo', tags_1: 'No' }, ''],
  ['a deeper part', { tags_2_name: 'No' }, { tags_2_name: 'No', tags: 'No' }, ''],
  ['a field whose own name has an underscore', { hint_question: 'No' }, { hint_question: 'No' }, ''],
  ['others', { captcha: 'Wrong', topic_1: 'Closed', title: 'No' }, { title: 'No' }, '1. Wrong\n2. Closed'],
  ['nothing', {}, {}, ''],
  ['an underscore first', { _title: 'No' }, {}, '1. No'],
] as const)('%s', (_, messages, atFields, others) => {
  expect(sortErrors(messages, known)).toEqual({ atFields: Object.assign(Object.create(null), atFields), others })
})

test('every message is shown, under any key, and no key reaches a prototype', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', '__proto___1', 'constructor', 'constructor_prototype', 'title', 'tags_1'))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.uuid()), { maxLength: 8 }), (entries) => {
      const messages = Object.fromEntries(entries)
      const { atFields, others } = sortErrors(messages, known)
      const text = [...Object.values(atFields), others].join('\n')
      for (const message of Object.values(messages)) expect(text).toContain(message)
      for (const field of Object.keys(atFields)) expect(known.has(field) || known.has(field.split('_')[0] ?? '')).toBe(true)
      expect(Object.getPrototypeOf(atFields)).toBeNull()
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
  )
})
