import { expect, test } from 'vitest'
import { startsOf } from '#review/admin/highlights.ts'

test('a sensitive word is marked everywhere in a text, and not within another word', () => {
  expect(startsOf('perhaps, perhapses, Xperhaps and perhaps', 'perhaps')).toEqual([0, 33])
  expect(startsOf('有意的加微信，不，加微信', '加微信')).toEqual([3, 9])
  expect(startsOf('代-开-发-票代-开-发-票', '代-开-发-票')).toEqual([0, 7])
  expect(startsOf('a+b c', 'd')).toEqual([])
})
