import { expect, test } from 'vitest'
import { atomOf, type Feed } from '#apps/server/syndication/atom.ts'
import { portableHtml } from '#apps/server/syndication/feed-html.ts'
import { tagUri } from '#apps/server/syndication/tag-uri.ts'

const feed: Feed = {
  id: 'tag:tea.example.org,2026:feed',
  title: 'Tea & talk',
  subtitle: 'A quiet place',
  language: 'zh',
  self: 'https://tea.example.org/feed',
  page: 'https://tea.example.org/index',
  icon: 'https://tea.example.org/touch-icon.png',
  entries: [],
}

test('an empty feed is a whole one', () => {
  const text = atomOf(feed)
  expect(text).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">')
  expect(text).toContain('<title>Tea &amp; talk</title>')
  expect(text).toContain('<updated>1970-01-01T00:00:00.000Z</updated>')
})

test('a post away from the site leads back to it, and has no more than readers understand', () => {
  const html =
    '<p>See <a href="/thread?topicId=1&amp;page=2">there</a>, <a href="https://example.org/" rel="noopener ugc nofollow" target="_blank">here</a></p>' +
    '<p class="picture"><picture><source type="image/avif" srcset="/file/f_1?w=480&amp;as=avif 480w">' +
    '<img src="/file/f_1" alt="A &lt;cup&gt;" width="60" height="40" srcset="/file/f_1?w=480 480w" sizes="1px" loading="lazy"></picture></p>' +
    '<ul class="tasks"><li><span class="tick" role="img" aria-label="✓" data-checked="true"></span><div><p>done</p></div></li></ul>' +
    '<pre tabindex="0" data-language="SQL"><code class="language-sql"><span class="keyword">select</span> 1</code></pre>'
  expect(portableHtml([{ html }], 'https://tea.example.org')).toBe(
    '<p>See <a href="https://tea.example.org/thread?topicId=1&amp;page=2">there</a>, <a href="https://example.org/">here</a></p>' +
      '<p><img src="https://tea.example.org/file/f_1" alt="A &lt;cup&gt;" width="60" height="40"></p>' +
      '<ul><li>☑ <p>done</p></li></ul>' +
      '<pre><code>select 1</code></pre>',
  )
})

test('no active content leaves the site, even if it were in a post', () => {
  const html =
    '<script src="/x.js">1</script><p onclick="a()" style="color:red">t</p><a href="javascript:a()">b</a><iframe src="/c"></iframe><a href="//evil">d</a>'
  expect(portableHtml([{ html }], 'https://tea.example.org')).toBe('1<p>t</p><a>b</a><a>d</a>')
})

test('a tag URI lasts: it names the host and the date, and no port', () => {
  expect(tagUri('https://tea.example.org:8443', 'topic/7', new Date('2026-11-21T03:00:00Z'))).toBe('tag:tea.example.org,2026-11-21:topic/7')
  expect(tagUri('http://[::1]', 'feed')).toBe('tag:1,2026:feed')
})
