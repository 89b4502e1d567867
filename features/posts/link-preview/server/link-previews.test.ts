import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { transact } from '#base/server/database/database.ts'
import type { Network } from '#base/server/outbound/safe-fetch.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aBadSite } from '#base/testing/bad-site.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { until } from '#base/testing/waits.ts'
import { addComment, addReply, listComments, listReplies } from '#comment/contract.ts'
import { hides, seenBy } from '#hidden-part/testing/factories.ts'
import { fetchPreviews } from '#link-preview/server/fetch-previews.ts'
import { requestedPreviews } from '#link-preview/server/requested-previews.ts'
import { addPostscript } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { editTopic, removeTopic, thread, topicMarkdown } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let mei: Person
let tagId: string
let requests: string[] = []
let pages: Record<string, string | Buffer> = {}

const server = createServer(({ url = '', headers }, response) => {
  requests.push(`${headers.host}${url}`)
  const page = pages[url]
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const { port } = server.address() as AddressInfo
const world: Network = {
  addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
  mayConnect: (ip, at) => ip === '127.0.0.1' && at === port,
}
afterAll(() => void server.close())

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  await transact(forum.database, (tx) => applySettings(tx, { linkPreviews: true }))
  await forum.database.app.deleteFrom('link_preview').execute()
  mei = await forum.member()
  requests = []
  pages = {
    '/tea':
      '<!doctype html><title>Short</title><meta property="og:title" content="How tea is made"><meta property="og:site_name" content="Tea House">',
  }
})

const site = (path: string) => `http://site.test:${port}${path}`
const plain = (path: string) => `<p><a href="${site(path)}" rel="noopener ugc nofollow" target="_blank">${site(path)}</a></p>`
const host = `site.test:${port}`
const card = (path: string, title: string, name = '') =>
  `<p class="preview"><a href="${site(path)}" rel="noopener ugc nofollow" target="_blank"><span>${name ? `${host} · ${name}` : host}</span><strong>${title}</strong><span>${site(path)}</span></a></p>`
const htmlOf = ({ segments }: { segments: readonly { html: string }[] }) => segments.map(({ html }) => html).join('')
const threadHtml = async (topicId: string) => htmlOf(await forum.visitor().call(thread, { topicId }))

async function look(): Promise<void> {
  await requestedPreviews.write(forum.database)
  await fetchPreviews(forum.database, { network: world, timeoutMs: 120_000 })
}

/** A topic with this text as a visitor sees it, after its links were fetched. */
async function seenLater(markdown: string): Promise<string> {
  const topicId = await aTopic(mei, tagId, { body: fromMarkdown(markdown) })
  await threadHtml(topicId)
  await look()
  return threadHtml(topicId)
}

test('a link alone in its line shows title and site, after its first reader and the fetch of its page', async () => {
  const topicId = await aTopic(mei, tagId, { body: fromMarkdown(`Look:\n\n${site('/tea')}`) })
  await look()
  expect(requests).toEqual([])
  expect(await threadHtml(topicId)).toBe(`<p>Look:</p>${plain('/tea')}`)
  await look()
  expect(requests).toEqual([`site.test:${port}/tea`])
  expect(await threadHtml(topicId)).toBe(`<p>Look:</p>${card('/tea', 'How tea is made', 'Tea House')}`)
  await look()
  expect(requests).toHaveLength(1)
  expect((await forum.visitor().call(topicMarkdown, { topicId })).markdown).toMatch(/\n\n<?http:\S+\/tea>?$/)
  expect((await forum.app.inject('/feed')).body).not.toContain('How tea is made')
})

test('a link preview appears in comments, replies, questions, answers and postscripts', async () => {
  const body = fromMarkdown(site('/tea'))
  const questionId = await aQuestion(mei, tagId, { body })
  await mei.call(addPostscript, { questionId, body })
  const { commentId } = await mei.call(addComment, { topicId: questionId, body })
  await mei.call(addReply, { commentId, body })
  const read = async () => {
    const visitor = forum.visitor()
    const [opening, { comments }, { replies }] = await Promise.all([
      visitor.call(thread, { topicId: questionId }),
      visitor.call(listComments, { topicId: questionId }),
      visitor.call(listReplies, { topicId: questionId, commentId }),
    ])
    return [opening, ...opening.postscripts, ...comments, ...comments.flatMap((one) => one.replies), ...replies].map(htmlOf)
  }
  expect(new Set(await read())).toEqual(new Set([plain('/tea')]))
  await look()
  expect(await read()).toEqual(Array.from({ length: 5 }, () => card('/tea', 'How tea is made', 'Tea House')))
})

test('a site that never answers keeps one look at a time, and links to others are looked at meanwhile', async () => {
  const bad = await aBadSite('drips its headers')
  const addresses = Array.from({ length: 12 }, (_, n) => `http://tea${n % 3}.bad.test:${bad.port}/${n}`)
  const posts = [addresses.slice(0, 4), addresses.slice(4, 8), addresses.slice(8), [site('/tea')]]
  const write = async (links: string[]) => aTopic(await forum.member(), tagId, { body: fromMarkdown(links.join('\n\n')) })
  const [fine = '', ...others] = (await Promise.all(posts.map(write))).toReversed()
  const mayAsk: Network['mayConnect'] = (ip, at) => ip === '127.0.0.1' && (at === port || at === bad.port)
  for (const topicId of others) await threadHtml(topicId)
  await requestedPreviews.write(forum.database)
  const looking = fetchPreviews(forum.database, { network: { ...world, mayConnect: mayAsk }, timeoutMs: 600_000 })
  await expect.poll(() => bad.requests).toBeGreaterThan(0)
  await threadHtml(fine)
  await requestedPreviews.write(forum.database)
  await expect.poll(() => threadHtml(fine)).toContain('How tea is made')
  expect(bad.requests).toBe(1)
  await until(() => {
    bad.hangUp()
    return bad.requests === addresses.length
  })
  bad.hangUp()
  await looking
  expect([bad.requests, bad.mostAtOnce]).toEqual([addresses.length, 1])
  bad.close()
})

test('a link among words, in a list or in a quote stays as it is, and is not fetched', async () => {
  const markdown = `See ${site('/tea')}\n\n- ${site('/tea')}\n\n> said\n>\n> ${site('/tea')}\n\n${site('/tea')} and ${site('/tea')}\n\n[own](/index)`
  expect(await seenLater(markdown)).not.toContain('class="preview"')
  expect(requests).toEqual([])
})

test('words of the author’s own stay within the card', async () => {
  expect(await seenLater(`[My **favourite**](${site('/tea')})`)).toContain('<span>My <strong>favourite</strong></span></a></p>')
})

test('the host of a link stands before its site name, whatever the author or the page calls it', async () => {
  pages['/posing'] = '<title>Sign in</title><meta property="og:site_name" content="github.com">'
  const shownFirst = `<span>${host} · github.com</span><strong>Sign in</strong><span>github.com</span>`
  expect(await seenLater(`[github.com](${site('/posing')})`)).toContain(shownFirst)
})

test('the title and site name of a page are short plain text, without markup', async () => {
  pages['/bad'] = `<title>&lt;script&gt;alert(1)&lt;/script&gt;<img src=x onerror=alert(1)></title>`
  expect(await seenLater(site('/bad'))).toBe(card('/bad', '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;'))
  pages['/marks'] =
    `<meta property="og:title" content='"><script>alert(1)</script>\u202eevil'><meta property="og:site_name" content="'&quot;><b>">`
  expect(await seenLater(site('/marks'))).toBe(
    card('/marks', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;evil', '&#39;&quot;&gt;&lt;b&gt;'),
  )
  pages['/huge'] = `<title>${'x'.repeat(400_000)}</title>`
  expect(await seenLater(site('/huge'))).toBe(card('/huge', `${'x'.repeat(139)}…`))
  pages['/late'] = '<body><title>Not a title</title><meta property="og:title" content="Nor this">'
  expect(await seenLater(site('/late'))).toBe(plain('/late'))
})

test('a page in the letters of old days is read', async () => {
  const title = Buffer.from([0xb2, 0xe8, 0xb9, 0xdd])
  pages['/old'] = Buffer.concat([Buffer.from('<meta charset="gbk"><title>'), title, Buffer.from('</title>')])
  expect(await seenLater(site('/old'))).toBe(card('/old', '茶馆'))
})

const gbk = [0xb2, 0xe8, 0xb9, 0xdd]
test.each<[string, string | Buffer, string]>([
  [
    'in Shift_JIS',
    Buffer.concat([
      Buffer.from('<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=Shift_JIS"><TITLE>'),
      Buffer.from([0x92, 0x83]),
      Buffer.from('</TITLE>'),
    ]),
    '茶',
  ],
  [
    'in GB2312 that is said late',
    Buffer.concat([Buffer.from(`<!--${'x'.repeat(2_000)}--><meta charset='gb2312'><title>`), Buffer.from(gbk), Buffer.from('</title>')]),
    '茶馆',
  ],
  ['in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>茶馆</title>', 'utf16le')]), '茶馆'],
  ['with a mark, whatever it says besides', Buffer.from('\ufeff<meta charset=gbk><title>茶馆</title>'), '茶馆'],
  ['in letters that nobody knows', '<meta charset="klingon"><title>茶馆</title>', '茶馆'],
  ['with its content first', '<meta content="Green &amp; black" property="og:title">', 'Green &amp; black'],
  ['with a list of properties', '<meta property="twitter:title og:title" content="Tea"><title>No</title>', 'Tea'],
  ['with names in capitals', '<META NAME="OG:TITLE" CONTENT="Tea">', 'Tea'],
  ['that tells another alone', '<title></title><meta name="twitter:title" content="Tea">', 'Tea'],
  ['with an empty property', '<meta property="og:title" content=" "><title>Tea</title>', 'Tea'],
])('a page %s is read', async (_, page, title) => {
  pages['/some'] = page
  expect(await seenLater(site('/some'))).toBe(card('/some', title))
})

test('a page that cannot be fetched is a plain link, and is fetched again only after a day', async () => {
  const topicId = await aTopic(mei, tagId, { body: fromMarkdown(site('/gone')) })
  for (const _ of [1, 2, 3]) {
    expect(await threadHtml(topicId)).toBe(plain('/gone'))
    await look()
  }
  expect(requests).toHaveLength(1)
  pages['/gone'] = '<title>Here again</title>'
  await forum.database.app
    .updateTable('link_preview')
    .set({ try_at: new Date(0) })
    .execute()
  await mei.call(editTopic, { topicId, title: 'Other words', body: fromMarkdown(`${site('/gone')}\n\nSaid anew.`) })
  await threadHtml(topicId)
  await look()
  expect(await threadHtml(topicId)).toContain('Here again')
})

test('a link in a hidden part is not fetched, and shows no preview to its readers', async () => {
  const secret = fromMarkdown(site('/tea')).content
  const body = { type: 'doc' as const, content: [...fromMarkdown('Open.').content, hides('comment', '', ...secret)] }
  const topicId = await aTopic(mei, tagId, { body })
  const tom = await forum.member()
  await tom.call(addComment, { topicId, body: fromMarkdown('Let me see.') })
  expect(await seenBy(tom, topicId)).toContain(site('/tea'))
  await threadHtml(topicId)
  await look()
  expect(requests).toEqual([])
  expect(await seenBy(tom, topicId)).not.toContain('class="preview"')
})

test('a link in a removed topic, or in a tag without access, is not fetched', async () => {
  const body = fromMarkdown(site('/tea'))
  const removed = await aTopic(mei, tagId, { body })
  await mei.call(removeTopic, { topicId: removed })
  const few = await aClosedTag(forum.database)
  await few.admit(mei.id)
  const closed = await aTopic(mei, few.tagId, { body })
  for (const topicId of [removed, closed]) expect((await forum.visitor().tryCall(thread, { topicId })).status).toBeGreaterThan(400)
  await look()
  expect(requests).toEqual([])
})

test('a new site fetches no links: staff switch it on, and off again', async () => {
  const topicId = await aTopic(mei, tagId, { body: fromMarkdown(site('/tea')) })
  await threadHtml(topicId)
  await look()
  expect(await threadHtml(topicId)).toContain('class="preview"')
  await transact(forum.database, (tx) => applySettings(tx, { linkPreviews: false }))
  expect(await threadHtml(topicId)).toBe(plain('/tea'))
  const other = await aTopic(mei, tagId, { body: fromMarkdown(site('/other')) })
  await threadHtml(other)
  await look()
  expect(requests).toHaveLength(1)
})

test('a link to an inner machine stays plain: the job fetches only outside ones', async () => {
  const topicId = await aTopic(mei, tagId, { body: fromMarkdown(`http://127.0.0.1:${port}/tea\n\nhttp://localhost:${port}/tea`) })
  await threadHtml(topicId)
  await requestedPreviews.write(forum.database)
  await fetchPreviews(forum.database)
  expect(await threadHtml(topicId)).not.toContain('class="preview"')
  expect(requests).toEqual([])
})
