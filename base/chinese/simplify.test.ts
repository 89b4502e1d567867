import taiwanPhrases from 'opencc-js/dict/TWVariantsRevPhrases'
import phrases from 'opencc-js/dict/TSPhrases'
import { expect, test } from 'vitest'
import { simplify } from '#base/chinese/simplify.ts'

test.each([
  ['音樂會', '音乐会'],
  ['化粧與衞生', '化妆与卫生'],
  ['沿著湖邊走', '沿着湖边走'],
  ['顯著的進步', '显著的进步'],
  ['乾隆年間的銀行', '乾隆年间的银行'],
  ['乾淨的茶壺', '干净的茶壶'],
])('%s is %s in simplified characters', (traditional, itsForm) => {
  expect(simplify(traditional)).toBe(itsForm)
})

test.each(['显著', '著名的茶馆', '乾隆年间', '乾县', '狼藉一片', '宫商角徵羽', '瞭望塔', 'tea'])('%s is simplified already', (text) => {
  expect(simplify(text)).toBe(text)
})

test('a simplified text has as many characters as before', () => {
  const words = [taiwanPhrases, phrases].flatMap((list) => list.split('|').map((pair) => pair.split(' ')[0] ?? ''))
  expect(words.length).toBeGreaterThan(1_000)
  for (const word of words) expect([...simplify(word)].length, word).toBe([...word].length)
})
