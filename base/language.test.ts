import { expect, test } from 'vitest'
import { catalogueName, chooseLanguage, languageTag, joinNames, offeredLanguage, answerLanguage } from '#base/language.ts'

test.each([
  // stored, the site's default, the browser's
  ['zh_CN', 'en_US', 'en', 'zh_CN'],
  ['en_US', 'zh_CN', 'zh-CN', 'en_US'],
  [null, 'zh_CN', 'en-GB', 'zh_CN'],
  [null, 'en_US', 'zh-TW', 'en_US'],
  [null, null, 'zh-Hant-HK', 'zh_CN'],
  [null, null, 'ZH', 'zh_CN'],
  [null, null, 'fr', 'en_US'],
  [null, '', 'zh', 'zh_CN'],
  ['', '', '', 'en_US'],
  [null, null, null, 'en_US'],
  ['ja', 'zh_CN', 'zh', 'en_US'],
  [null, null, 'en;q=0.5, zh-CN', 'zh_CN'],
  [null, null, 'zh;q=0.1,fr;q=0.9', 'en_US'],
  [null, null, 'zh;q=0, en;q=0.1', 'en_US'],
  [null, null, 'fr, zh', 'en_US'],
] as const)('stored %s, default %s, browser %s: %s', (stored, siteDefault, browser, code) => {
  expect(chooseLanguage(stored, siteDefault, browser)).toBe(code)
})

test('each language has one name in the header and one for its texts', () => {
  expect([languageTag('zh_CN'), catalogueName('zh_CN')]).toEqual(['zh-CN', 'zh'])
  expect([languageTag('en_US'), catalogueName('en_US')]).toEqual(['en-US', 'en'])
})

test.each([
  // wanted, offered, default
  ['zh_CN', ['zh_CN', 'en_US'], 'en_US', 'zh_CN'],
  ['zh_CN', ['en_US'], 'en_US', 'en_US'],
  ['zh_CN', ['en_US'], 'zh_CN', 'en_US'],
  ['en_US', ['zh_CN'], 'en_US', 'zh_CN'],
  ['en_US', ['zh_CN', 'en_US'], '', 'en_US'],
  ['en_US', ['zh_CN'], '', 'zh_CN'],
] as const)('%s wished for, %s offered, %s preferred: %s', (language, languages, defaultLanguage, code) => {
  expect(offeredLanguage(language, { languages, defaultLanguage })).toBe(code)
})

test.each([
  // stored, the browser's, default
  [null, 'en-US,en;q=0.9', 'zh_CN', 'zh'],
  [null, 'en-US,en;q=0.9', '', 'en'],
  [null, ' zh-CN,zh;q=0.9', '', 'zh'],
  ['zh_CN', 'en-US', '', 'zh'],
  [null, null, '', 'en'],
] as const)('stored %s, browser %s, preferred "%s": the site is in %s', (stored, browser, defaultLanguage, language) => {
  expect(answerLanguage(stored, browser, { languages: ['zh_CN', 'en_US'], defaultLanguage })).toBe(language)
})

test('names in a row are parted as the language parts them', () => {
  expect([joinNames('zh', ['管理员', '茶客']), joinNames('en', ['Keeper', 'Guest']), joinNames('zh', [])]).toEqual([
    '管理员、茶客',
    'Keeper, Guest',
    '',
  ])
})
