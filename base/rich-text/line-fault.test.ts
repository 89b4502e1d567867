import { expect, test } from 'vitest'
import { fromMarkdown, maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { faultInParts } from '#base/rich-text/hidden-part.ts'
import { firstLineFault } from '#base/rich-text/line-fault.ts'

const above = 'Open to all.\n\n'

test.each<[string, string, number, string]>([
  ['a word that is no part', `${above}:::hiden points=5\nTea.\n:::`, 3, 'base.hiddenUnknown'],
  ['no lock at all', `${above}:::hidden\nTea.\n:::`, 3, 'base.hiddenUnknown'],
  ['a price that is none', `:::hidden points=many\nTea.\n:::`, 1, 'base.hiddenPoints'],
  ['a password that is none', `:::hidden password=""\nTea.\n:::`, 1, 'base.hiddenPassword'],
  ['nothing in it', `${above}${above}:::hidden points=5\n\n:::`, 5, 'base.hiddenBlank'],
  ['one in a list', `${above}- Tea.\n- Water.\n  :::hidden points=5\n  Tea.\n`, 5, 'base.hiddenWithin'],
  ['one in a quote', `> :::hidden points=5\n> Tea.`, 1, 'base.hiddenWithin'],
  ['one within another', `:::hidden points=5\nTea.\n:::hidden points=6\nWater.\n:::`, 3, 'base.hiddenWithin'],
  ['the second of two', `:::hidden points=5\nTea.\n:::\n\n:::hidden level\nTea.\n:::`, 5, 'base.hiddenLevel'],
])('a part that is written wrongly is found in its line: %s', (_, text, line, code) => {
  expect(firstLineFault(text)).toMatchObject({ line, code })
})

test.each([
  '',
  above,
  `${above}:::hidden points=5\nTea.\n:::\n\nMore.`,
  ':::hidden password="oolong"\n- Tea.\n- Water.\n:::',
  ':::hidden comment\nTea.',
  // An existing part stays unchanged.
  ':::hidden points=5 #h_1\n:::',
  '\\:::hiden',
  '```\n:::hiden\n```',
])('a valid line has no fault, and its document has none: %j', (text) => {
  expect([firstLineFault(text), faultInParts(fromMarkdown(text))]).toEqual([null, null])
})

test('a text that is too long is not searched', () => {
  expect(firstLineFault(`:::hiden\n${'a'.repeat(maxMarkdownLength)}`)).toBeNull()
})
