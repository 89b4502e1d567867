import { expect, test } from 'vitest'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import { sampleDatabase } from '#base/testing/sample.ts'

const origin = 'http://tea.example.org'
const forum = await aForum({ openFrontend: renderedFrontend, fresh: sampleDatabase, env: { TEAHOUSE_URL: origin } })
const { id: tea, author_id: writer } = await forum.database.app
  .selectFrom('topic')
  .select(['id', 'author_id'])
  .where('title', 'like', '一条 SQL%')
  .executeTakeFirstOrThrow()

const ask = (path: string) => forum.app.inject({ url: path, headers: { host: 'tea.example.org', cookie: 'language=en_US' } })
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, one = '']) => one)

test.each([
  ['/index', ['WebSite'], ['/feed']],
  ['/index?tagId=1', ['BreadcrumbList'], ['/feed?tagId=1', '/feed']],
  [`/thread?topicId=${tea}`, ['DiscussionForumPosting', 'BreadcrumbList'], ['/feed']],
  [`/user/control/home?userId=${writer}`, ['ProfilePage'], [`/feed?userId=${writer}`, '/feed']],
])('the page %s describes itself to search engines and feed readers', async (path, kinds, feeds) => {
  const { statusCode, body } = await ask(path)
  expect(statusCode).toBe(200)
  const data = all(body, /<script type="application\/ld\+json">([^<]*)<\/script>/g)
  expect(data.map((text) => JSON.parse(text)['@type'])).toEqual(kinds)
  expect(all(body, /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]*)"/g)).toEqual(feeds)
  expect(body).not.toContain('<meta name="robots"')
})

test('the page of a member is there before any script runs; the own page is only for its owner', async () => {
  const headings = async (path: string) =>
    all((await ask(path)).body, /<h1\b[^>]*>(.*?)<\/h1>/gs).map((html) => html.replaceAll(/<[^>]*>/g, ''))
  const [heading = ''] = await headings(`/user/control/home?userId=${writer}`)
  expect(heading).not.toBe('')
  expect(await headings('/user/control/home')).toEqual([])
  expect((await ask('/user/control/home?userId=999999')).statusCode).toBe(404)
})

test('every address of the sitemap leads to a page that may be found', async () => {
  const addressesIn = async (path: string) => all((await ask(path)).body, /<loc>([^<]*)<\/loc>/g)
  const files = await addressesIn('/sitemap.xml')
  expect(files[0]).toBe(`${origin}/sitemap/pages.xml`)
  const pages = await addressesIn('/sitemap/pages.xml')
  expect(pages.length).toBeGreaterThan(5)
  for (const address of pages) {
    const { statusCode, body } = await ask(address.slice(origin.length))
    expect([address, statusCode, body.includes(`<link rel="canonical" href="${address}">`)]).toEqual([address, 200, true])
  }
})
