import { expect, test } from 'vitest'
import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import { findSettings } from '#setting/admin/find-settings.ts'
import en from '#setting/admin/words/en.json' with { type: 'json' }
import zh from '#setting/admin/words/zh.json' with { type: 'json' }

const nobody: Api = { read: () => Promise.reject(new Error('Nothing is asked')), write: () => Promise.reject(new Error('Nothing is done')) }
const sayIn =
  (words: Record<string, string>): Translate =>
  (code) =>
    words[code.split('.')[1] ?? ''] ?? ''

async function found(typed: string): Promise<string[]> {
  const all = await findSettings(typed, nobody, [sayIn(en), sayIn(zh)])
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

test('a name comes before what is said of others', async () => {
  expect((await found('keywords'))[0]).toBe('keywords')
  expect(await found('no such thing')).toEqual([])
})
