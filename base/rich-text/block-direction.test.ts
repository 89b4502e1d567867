import { expect, test } from 'vitest'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments } from '#base/rich-text/to-html.ts'

const around = { picture: () => null, mention: (id: string) => ({ href: `/user/control/home?userId=${id}`, name: 'דנה' }) }
const htmlOf = (markdown: string) =>
  toSegments(fromMarkdown(markdown), around)
    .map(({ html }) => html)
    .join('')

const greeting = 'مرحبا بالعالم 123 (abc)، كيف الحال؟'

test.each([
  ['a paragraph', greeting, `<p dir="rtl">${greeting}</p>`],
  ['a heading', '## שלום\n\nabc', '<h2 dir="rtl">שלום</h2><p>abc</p>'],
  ['a list', '- مرحبا\n- abc', '<ul dir="rtl"><li><p>مرحبا</p></li><li><p dir="ltr">abc</p></li></ul>'],
  ['a numbered list', '3. مرحبا', '<ol dir="rtl" start="3"><li><p>مرحبا</p></li></ol>'],
  ['a quote', '> مرحبا\n>\n> abc', '<blockquote dir="rtl"><p>مرحبا</p><p dir="ltr">abc</p></blockquote>'],
  ['a list in a quote', '> - مرحبا', '<blockquote dir="rtl"><ul><li><p>مرحبا</p></li></ul></blockquote>'],
  [
    'a table',
    '| مرحبا | abc |\n| --- | --- |\n| 1 | שלום |',
    '<div class="table" tabindex="0" dir="rtl"><table dir="rtl"><tbody><tr><th>مرحبا</th><th dir="ltr">abc</th></tr><tr><td>1</td><td>שלום</td></tr></tbody></table></div>',
  ],
  ['code within words', 'مرحبا `f(x)`', '<p dir="rtl">مرحبا <code dir="ltr">f(x)</code></p>'],
])('%s has a direction of its own if it differs from that around it', (_, markdown, html) => {
  expect(htmlOf(markdown)).toBe(html)
})

test('code is read from left to right everywhere', () => {
  expect(htmlOf('```\nمرحبا = (1)\n```')).toContain('<pre tabindex="0"><code')
  expect(htmlOf('- مرحبا\n\n  ```\n  x = (1)\n  ```')).toContain('<pre tabindex="0" dir="ltr"><code')
})

test('the direction is that of the words of a block, not of a name, an address or code that it begins with', () => {
  expect(htmlOf('@[דנה](member:7) hello')).toMatch(/^<p><a class="mention"/)
  expect(htmlOf('@[mei](member:7) مرحبا')).toMatch(/^<p dir="rtl"><a class="mention"/)
  expect(htmlOf('`abc` مرحبا')).toMatch(/^<p dir="rtl"><code/)
  expect(htmlOf('https://example.com/tea/ مرحبا')).toMatch(/^<p dir="rtl"><a href="[^"]*" dir="ltr"/)
  expect(htmlOf('https://example.com/ tea')).toMatch(/^<p><a href="[^"]*" rel/)
  expect(htmlOf('[مرحبا](https://example.com)')).toMatch(/^<p dir="rtl"><a href="[^"]*" rel/)
})

test('no other script, and nothing without a letter, says one', () => {
  for (const text of ['茶', 'Tea', 'Чай', 'चाय', '123', '🍵', '- 1\n- 2', '> Καφές']) expect(htmlOf(text), text).not.toContain('dir=')
})

test('Markdown keeps each of them as it was written', () => {
  for (const text of [greeting, '- مرحبا', '> שלום', '## مرحبا']) expect(toMarkdown(fromMarkdown(text)).trim(), text).toBe(text)
})
