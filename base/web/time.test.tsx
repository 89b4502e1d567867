import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Html } from '#base/web/html.tsx'
import { ago, Time } from '#base/web/time.tsx'
import { Words } from '#base/web/words.tsx'

const now = Date.parse('2026-03-01T12:00:00Z')
const [minute, hour, day] = [60, 3_600, 86_400]

test.each([
  [0, 'now', '现在'],
  [59, 'now', '现在'],
  [minute, '1 minute ago', '1分钟前'],
  [hour - 1, '59 minutes ago', '59分钟前'],
  [hour, '1 hour ago', '1小时前'],
  [day - 1, '23 hours ago', '23小时前'],
  [day, '1 day ago', '1天前'],
  [47 * hour, '1 day ago', '1天前'],
  [30 * day, '1 month ago', '1个月前'],
  [365 * day, '1 year ago', '1年前'],
  // A clock that goes wrong by a minute or so.
  [-90, 'now', '现在'],
  [-hour, 'in 1 hour', '1小时后'],
])('%i seconds ago', (seconds, en, zh) => {
  const date = new Date(now - seconds * 1_000)
  expect(ago(date, now, 'en')).toBe(en)
  expect(ago(date, now, 'zh')).toBe(zh)
})

test('the server says the date, which is the same for every reader', () => {
  const html = renderToString(
    <Words language="zh" messages={{}}>
      <Time at="2026-03-01T23:30:00.000Z" />
    </Words>,
  )
  expect(html).toBe('<time dateTime="2026-03-01T23:30:00.000Z">2026-03-01</time>')
})

test('the server puts our HTML into its page as it is', () => {
  expect(renderToString(<Html html={'<p>茶 &amp; 饼</p>'} className="prose" />)).toBe('<div class="prose"><p>茶 &amp; 饼</p></div>')
})
