import { expect, test } from 'vitest'
import { pageFrom } from '#base/rich-text/page.ts'

test.each(['', ' \n\n', '\u200b', '***', '# ', '> '])('%j is an empty page, and has no part for a heading', (markdown) => {
  expect(pageFrom(markdown)).toEqual({ segments: [], summary: '' })
})

test('a page with a word has its part', () => {
  expect(pageFrom('Tea')).toEqual({ segments: [{ html: expect.stringContaining('Tea') }], summary: 'Tea' })
})
