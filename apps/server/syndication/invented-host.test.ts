import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'

const [known, unknown] = [await aForum({ env: { TEAHOUSE_URL: 'https://tea.example.org' } }), await aForum()]
const paths = ['/feed', '/robots.txt', '/llms.txt', '/sitemap.xml', '/sitemap/pages.xml']

test.each(paths)('%s has the address of the site, under any host name of the request', async (url) => {
  const { body, headers } = await known.app.inject({ url, headers: { host: 'evil.example' } })
  expect(body).toContain('https://tea.example.org/')
  expect(body).not.toContain('evil.example')
  expect(headers['cache-control']).toMatch(/^public/)
})

test.each(paths)('%s of a site without an address follows the host name, and is not cached', async (url) => {
  const { body, headers } = await unknown.app.inject({ url, headers: { host: 'evil.example' } })
  expect(body).toContain('http://evil.example/')
  expect(headers['cache-control']).toBe('private, no-store')
})
