import { expect, test } from 'vitest'
import { isForeign } from '#assistant/web/foreign.ts'

test.each([
  ['<p>使用 Docker 部署 PostgreSQL 和 Redis</p>', false, true],
  ['<p>下雨了，带伞</p>', false, true],
  ['<p>It rains in 杭州 today, take an umbrella.</p>', true, false],
  ['<p>日本語で書いた投稿です。</p>', true, true],
  ['<p>Сегодня идёт сильный дождь.</p>', true, true],
  ['<p>看这里</p><pre><code>const rain = await the.sky(today)</code></pre>', false, true],
  ['<pre><code>const rain = await the.sky(today)</code></pre>', false, false],
  ['<p>+1</p>', false, false],
  ['<p><a href="https://example.org/some/long/english/path">https://example.org/some/long</a></p>', false, false],
])('%s is foreign to a reader of Chinese: %s, of English: %s', (html, zh, en) => {
  expect([isForeign([{ html }], 'zh'), isForeign([{ html }], 'en')]).toEqual([zh, en])
})
