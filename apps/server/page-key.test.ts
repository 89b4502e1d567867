import { expect, test } from 'vitest'
import { cacheKeyFinder, cacheKeyOf, pageKeyFor, type SiteInfo } from '#apps/server/page-key.ts'

const site: SiteInfo = {
  title: 'Tea',
  mainColour: '',
  icon: null,
  description: '',
  keywords: '',
  defaultLanguage: '',
  languages: ['zh_CN', 'en_US'],
  supportAccessDevice: 1,
  siteState: 'open',
  closedTextZh: '',
  closedTextEn: '',
}
const sites = [site, { ...site, supportAccessDevice: 3 }, { ...site, languages: ['en_US'] as const }]
const address = { path: '/thread', isPublic: true, publicWith: null, parameters: ['topicId', 'page'], isFleeting: false }

const requests = ['/thread?topicId=1', '/thread?page=2&topicId=1', '/thread?topicId=1&utm=x'].flatMap((url) =>
  ['localhost:80', '127.0.0.1:8080', 'tea.example.org'].flatMap((host) =>
    [{}, { cookie: 'language=zh_CN' }, { cookie: 'other=1; accessModule=mobile' }].flatMap((cookies) =>
      [{}, { 'accept-language': 'zh' }, { 'accept-language': 'en', 'user-agent': 'iPhone' }].flatMap((more) =>
        [80, 8080].map((localPort) => ({
          url,
          headers: { host, ...cookies, ...more },
          socket: { localAddress: '127.0.0.1', localPort },
        })),
      ),
    ),
  ),
) as unknown as Parameters<typeof pageKeyFor>[1][]

test.each([null, 'https://tea.example.org'])('a remembered key is that of the request, at %s', (publicUrl) => {
  const find = cacheKeyFinder(publicUrl)
  const keys = new Set<string>()
  for (const its of [...sites, ...sites])
    for (const request of [...requests, ...requests]) {
      const key = cacheKeyOf(pageKeyFor(address, request, its, publicUrl))
      expect(find(address, request, its)).toBe(key)
      keys.add(key)
    }
  expect(keys.size).toBeGreaterThan(6)
})
