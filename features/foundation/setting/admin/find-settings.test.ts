import { expect, test } from 'vitest'
import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import { findSettings } from '#setting/admin/find-settings.ts'
import { allWords } from '../../../../tools/repository.ts'

const nobody: Api = { read: () => Promise.reject(new Error('Nothing is asked')), write: () => Promise.reject(new Error('Nothing is done')) }
const everything = allWords()
const sayIn =
  (language: 'en' | 'zh'): Translate =>
  (code) => {
    const [feature, key = ''] = code.split('.')
    const text = everything.find(({ name }) => name === feature)?.[language][key]
    return typeof text === 'string' ? text : ''
  }

async function found(typed: string): Promise<string[]> {
  const all = await findSettings(typed, nobody, [sayIn('en'), sayIn('zh')])
  return all.map(({ to }) => to.split('#')[1] ?? '')
}

test.each([
  ['Read-only', 'siteState'],
  ['readonly', 'siteState'],
  ['只读', 'siteState'],
  ['closed text', 'closedTextEn'],
  ['siteState', 'siteState'],
  ['baidu', 'baiduToken'],
  ['topics per page', 'topicsPerPage'],
])('"%s" finds the setting %s', async (typed, name) => {
  expect(await found(typed)).toContain(name)
})

test('a name ranks before the descriptions of others', async () => {
  expect((await found('keywords'))[0]).toBe('keywords')
  expect(await found('no such thing')).toEqual([])
})
