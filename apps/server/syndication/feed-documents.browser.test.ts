import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { sampleDatabase } from '#base/testing/sample.ts'
import { closeContexts, openBrowser } from '../../../tools/browser.ts'

const forum = await aForum({ fresh: sampleDatabase })
let page: Page

beforeAll(async () => {
  const browser = await openBrowser()
  page = await browser.newPage()
  return () => closeContexts(browser)
})

test('every feed of the sample is whole XML, and its posts are HTML that can be read', async () => {
  const { author_id: writer } = await forum.database.app
    .selectFrom('topic')
    .select('author_id')
    .where('title', 'like', '一条 SQL%')
    .executeTakeFirstOrThrow()
  for (const path of ['/feed', '/feed?tagId=1', `/feed?userId=${writer}`]) {
    const { root, entries, relative, scripts } = await read((await forum.app.inject(path)).body)
    expect({ path, root, relative, scripts }).toEqual({ path, root: 'feed', relative: [], scripts: 0 })
    expect(entries).toBeGreaterThan(0)
  }
})

/** The result of a strict parser for a feed, and of a browser for its posts. */
function read(text: string) {
  return page.evaluate((xml) => {
    const feed = new DOMParser().parseFromString(xml, 'application/xml')
    const contents = [...feed.querySelectorAll('content')].map((one) => new DOMParser().parseFromString(one.textContent ?? '', 'text/html'))
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
}
