import { expect, test } from 'vitest'
import { parseQuery } from '#search/server/parse-query.ts'
import { searchTermsOf } from '#search/server/search.ts'
import { excerptOf, markedTitle } from '#search/server/text/highlight.ts'
import { bracketed } from '#search/testing/engine-suite.ts'

const marked = (keyword: string, text: string) => bracketed(excerptOf(text, searchTermsOf(parseQuery(keyword)), 240))

test('a word is marked in any of its forms, also in those that begin otherwise', () => {
  expect(marked('go', 'He went, she walks, they are going and gone; Google stays.')).toBe(
    'He [went], she walks, they are [going] and [gone]; Google stays.',
  )
  expect(marked('thought mice', 'Think of a mouse. I THOUGHT of Mice.')).toBe('[Think] of a [mouse]. I [THOUGHT] of [Mice].')
})

test('marks stand at their place in the text, even if folding changes its length', () => {
  expect(marked('strasse 茶壶', '……Ｃａｆé in der Straße：一把舊茶壺①……')).toBe('……Ｃａｆé in der [Straße]：一把舊[茶壺]①……')
  expect(marked('茶', '𠮷野的茶，喝茶。')).toBe('𠮷野的[茶]，喝[茶]。')
  expect(bracketed(markedTitle('周末做麻婆豆腐', searchTermsOf(parseQuery('mapo'))))).toBe('周末做[麻婆]豆腐')
})
