import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { translatorFor } from '#base/web/words.tsx'
import { typedOffer } from '#bounty/web/typed-offer.ts'

const offer = (language: 'zh' | 'en', points: string, cash: string) => {
  const bounty = JSON.parse(readFileSync(new URL(`../words/${language}.json`, import.meta.url), 'utf8'))
  const say = translatorFor({ language, messages: messagesOf({ bounty }) })
  return typedOffer((key, values) => say(`bounty.${key}`, values), { points, cash }).replaceAll(/[\u2066-\u2069]/g, '')
}

test('points and money offered together are separate', () => {
  expect(offer('zh', '100', '5')).toBe('100 积分 + 5 元')
  expect(offer('en', '100', '5')).toBe('100 points and ¥5')
  expect(offer('en', '１', '')).toBe('1 point')
  expect(offer('zh', '', '5.50')).toBe('5.50 元')
  expect(offer('zh', '', '')).toBe('')
})
