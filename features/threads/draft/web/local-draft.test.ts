import { expect, test } from 'vitest'
import { contentOf } from '#draft/web/local-draft.ts'

test('a form without text or fields holds nothing', () => {
  expect(contentOf({ text: null, fields: null })).toBe(null)
  expect(contentOf({ text: null, fields: { title: '' } })).toBe(null)
})

test('a draft that is more than the site takes is not taken for an empty one, which would be dropped there', () => {
  expect(contentOf({ text: { view: 'markdown', text: 'x'.repeat(400_000) }, fields: null })).toBe('tooLarge')
  expect(contentOf({ text: null, fields: { title: 'x'.repeat(2_001) } })).toBe('tooLarge')
})

test('the stored draft is the typed text', () => {
  const text = { view: 'markdown', text: '#' }
  expect(contentOf({ text, fields: { title: 'Tea', tagId: '' } })).toEqual({ text, fields: { title: 'Tea' } })
})
