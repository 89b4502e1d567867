import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'

const [known, unknown] = [await aForum({ env: { TEAHOUSE_URL: 'https://tea.example.org' } }), await aForum()]
const paths = ['/feed', '/robots.txt', '/llms.txt', '/sitemap.xml', '/sitemap/pages.xml']

test.each(paths)('%s says the address of the site, whatever name it was asked by', async (url) => {
  const { body, headers } = await known.app.inject({ url, headers: { host: 'evil.example' } })
  expect(body).toContain('https://tea.example.org/')
  expect(body).not.toContain('evil.example')
  expect(headers['cache-control']).toMatch(/^public/)
})

test.each(paths)('%s of a site that does not know its address follows the name, and nobody keeps it', async (url) => {
  const { body, headers } = await unknown.app.inject({ url, headers: { host: 'evil.example' } })
  expect(body).toContain('http://evil.example/')
  expect(headers['cache-control']).toBe('private, no-store')
})
