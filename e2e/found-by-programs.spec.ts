import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { builtForum } from './site.ts'

const site = await builtForum()
const { page: elsewhere } = await site.visit()
const tea = await site.topic('一条 SQL')
const { author_id: writer } = await site.database.app
  .selectFrom('topic')
  .select('author_id')
  .where('id', '=', tea)
  .executeTakeFirstOrThrow()
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;({ page, complaints } = await site.visit({ language: 'en' }))
})

const dataOf = () => page.locator('script[type="application/ld+json"]').allTextContents()
const feedsOf = () =>
  page.locator('link[rel="alternate"][type="application/atom+xml"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test.each([
  ['/index', ['WebSite'], ['/feed']],
  ['/index?tagId=1', ['BreadcrumbList'], ['/feed?tagId=1', '/feed']],
  [`/thread?topicId=${tea}`, ['DiscussionForumPosting', 'BreadcrumbList'], ['/feed']],
  [`/user/control/home?userId=${writer}`, ['ProfilePage'], [`/feed?userId=${writer}`, '/feed']],
])('%s says what it is to search engines and feed readers, and breaks no policy', async (path, kinds, feeds) => {
  await page.goto(path)
  await page.locator('h1, main').first().waitFor()
  expect((await dataOf()).map((text) => JSON.parse(text)['@type'])).toEqual(kinds)
  expect(await feedsOf()).toEqual(feeds)
  expect(await page.locator('meta[name="robots"]').count()).toBe(0)
  expect(complaints.splice(0)).toEqual([])
})

test("a member's page is there before any script runs; one's own is asked for by oneself", async () => {
  const { page: plain } = await site.visit({ language: 'en', javaScript: false })
  await plain.goto(`/user/control/home?userId=${writer}`)
  expect(await plain.locator('h1').textContent()).not.toBe('')
  await plain.goto('/user/control/home')
  expect(await plain.locator('h1').count()).toBe(0)
  expect((await plain.goto('/user/control/home?userId=999999'))?.status()).toBe(404)
})

test('every feed of the sample is whole XML, and its posts are HTML that can be read', async () => {
  for (const path of ['/feed', '/feed?tagId=1', `/feed?userId=${writer}`]) {
    const text = await (await fetch(site.url + path)).text()
    const { root, entries, relative, scripts } = await elsewhere.evaluate((xml) => {
      const feed = new DOMParser().parseFromString(xml, 'application/xml')
      const contents = [...feed.querySelectorAll('content')].map((one) =>
        new DOMParser().parseFromString(one.textContent ?? '', 'text/html'),
      )
      const addresses = contents.flatMap((one) =>
        [...one.querySelectorAll('[href], [src]')].map((the) => the.getAttribute('href') ?? the.getAttribute('src')),
      )
      return {
        root: feed.documentElement.nodeName,
        entries: feed.querySelectorAll('entry > content, entry > summary').length,
        relative: addresses.filter((address) => !/^(https?:|mailto:)/.test(address ?? '')),
        scripts: contents.reduce((sum, one) => sum + one.querySelectorAll('script, style, iframe, [class], [style]').length, 0),
      }
    }, text)
    expect({ path, root, relative, scripts }).toEqual({ path, root: 'feed', relative: [], scripts: 0 })
    expect(entries).toBeGreaterThan(0)
  }
})

test('every address of the sitemap leads to a page that may be found', async () => {
  const addressesIn = async (path: string) =>
    [...(await (await fetch(site.url + path)).text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  const files = await addressesIn('/sitemap.xml')
  expect(files[0]).toBe(`${site.url}/sitemap/pages.xml`)
  for (const address of await addressesIn('/sitemap/pages.xml')) {
    const answer = await fetch(address)
    const text = await answer.text()
    expect([address, answer.status, text.includes(`<link rel="canonical" href="${address}">`)]).toEqual([address, 200, true])
  }
})
