import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Html } from '#base/web/html.tsx'
import { relativeTime, Time, timeWithZone } from '#base/web/time.tsx'
import { WordsProvider } from '#base/web/words.tsx'

const now = Date.parse('2026-03-01T12:00:00Z')
const [minute, hour, day] = [60, 3_600, 86_400]

test.each([
  [0, null, null],
  [59, null, null],
  [minute, '1 minute ago', '1 分钟前'],
  [hour - 1, '59 minutes ago', '59 分钟前'],
  [hour, '1 hour ago', '1 小时前'],
  [day - 1, '23 hours ago', '23 小时前'],
  [day, '1 day ago', '1 天前'],
  [47 * hour, '1 day ago', '1 天前'],
  [30 * day, '1 month ago', '1 个月前'],
  [365 * day, '1 year ago', '1 年前'],
  // A clock that is wrong by a minute or so.
  [-90, null, null],
  [-hour, 'in 1 hour', '1 小时后'],
  [-7 * day + 1, 'in 7 days', '7 天后'],
  [-7 * day + minute, 'in 7 days', '7 天后'],
  [-7 * day - minute, 'in 7 days', '7 天后'],
  [-6 * day, 'in 6 days', '6 天后'],
  [-6 * day + 1, 'in 6 days', '6 天后'],
  [-3 * minute, 'in 3 minutes', '3 分钟后'],
])('%i seconds ago', (seconds, en, zh) => {
  const date = new Date(now - seconds * 1_000)
  expect(relativeTime(date, now, 'en')).toBe(en)
  expect(relativeTime(date, now, 'zh')).toBe(zh)
})

test('the server says the date, which is the same for every reader', () => {
  const html = renderToString(
    <WordsProvider language="zh" messages={{}}>
      <Time at="2026-03-01T23:30:00.000Z" />
    </WordsProvider>,
  )
  expect(html).toBe('<time dateTime="2026-03-01T23:30:00.000Z">2026-03-01</time>')
})

test('the server puts our HTML into its page as it is', () => {
  expect(renderToString(<Html html={'<p>茶 &amp; 饼</p>'} className="prose" />)).toBe('<div class="prose"><p>茶 &amp; 饼</p></div>')
})

test('a time with its zone has the zone after the time in both languages', () => {
  const at = '2026-11-29T12:40:38Z'
  expect(timeWithZone(at, 'zh', 'UTC')).toBe('2026年11月29日 12:40:38（UTC）')
  expect(timeWithZone(at, 'en', 'UTC').replaceAll('\u202f', ' ')).toBe('November 29, 2026 at 12:40:38 PM UTC')
  expect(timeWithZone(at, 'zh', 'Asia/Tokyo')).toMatch(/^2026年11月29日 21:40:38（[^（）]+）$/)
})
