import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Settings } from '#setting/contract.ts'

const forum = await aForum({ openFrontend: renderedFrontend })

type Offered = Pick<Settings, 'languages' | 'defaultLanguage'>

/** The language of the administration for a visitor with this choice and this browser. */
async function languageFor(site: Offered, { chose, asks }: { chose?: string; asks: string }): Promise<string> {
  await transact(forum.database, (tx) => applySettings(tx, site))
  const headers = { 'accept-language': asks, ...(chose && { cookie: `language=${chose}` }) }
  const { body } = await forum.app.inject({ url: '/admin/topic', headers })
  const { language, languages } = JSON.parse(/id="state">([^<]*)</.exec(body)?.[1] ?? '{}')
  expect(languages).toEqual(site.languages)
  return language
}

const both: Settings['languages'] = ['zh_CN', 'en_US']
const english: Offered = { languages: ['en_US'], defaultLanguage: 'en_US' }

test.each<[string, Offered, { chose?: string; asks: string }]>([
  ['en', english, { asks: 'zh-CN' }],
  ['en', english, { asks: 'zh-CN', chose: 'zh_CN' }],
  ['en', { languages: ['en_US'], defaultLanguage: '' }, { asks: 'zh-CN' }],
  ['en', { languages: both, defaultLanguage: 'en_US' }, { asks: 'zh-CN' }],
  ['en', { languages: both, defaultLanguage: '' }, { asks: 'en' }],
  ['zh', { languages: both, defaultLanguage: '' }, { asks: 'zh-TW' }],
  ['zh', { languages: both, defaultLanguage: 'en_US' }, { asks: 'en', chose: 'zh_CN' }],
  ['zh', { languages: ['zh_CN'], defaultLanguage: '' }, { asks: 'en', chose: 'en_US' }],
])('the administration is in %s on a site with %o for %o', async (language, site, who) => {
  expect(await languageFor(site, who)).toBe(language)
})
