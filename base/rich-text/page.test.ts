import { expect, test } from 'vitest'
import { pageFrom } from '#base/rich-text/page.ts'

test.each(['', ' \n\n', '\u200b', '***', '# ', '> '])(
  '%j is a page that shows nothing, and has no part to stand under a heading',
  (markdown) => {
    expect(pageFrom(markdown)).toEqual({ segments: [], summary: '' })
  },
)

test('a page with a word has its part', () => {
  expect(pageFrom('Tea')).toEqual({ segments: [{ html: expect.stringContaining('Tea') }], summary: 'Tea' })
})
