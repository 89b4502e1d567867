import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { isLinear } from '#base/testing/steps.ts'

const read = (text: string) => toMarkdown(fromMarkdown(text))

describe('Markdown loses no text', () => {
  test.each([
    [
      'definitions that lead nowhere',
      '# 茶\n\n[1]: 《茶经注》\n[2]: 《煎茶水记》',
      '## 茶\n\n\\[1\\]: 《茶经注》\\\n\\[2\\]: 《煎茶水记》',
    ],
    ['a definition that no link uses', 'tea\n\n[a]: https://a.cn "Title"\nmore', 'tea\n\n\\[a\\]: https://a.cn "Title"\\\nmore'],
    ['one that is used, among others', '[x][a]\n\n[b]: https://b.cn\n[a]: https://a.cn', '[x](https://a.cn)\n\n\\[b\\]: https://b.cn'],
    ['a second one of the same name', '[a]\n\n[a]: https://a.cn\n[a]: /b', '[a](https://a.cn)\n\n[a](https://a.cn): /b'],
    ['a note at the foot', 'tea[^1]\n\n[^1]: https://a.cn', 'tea\\[^1\\]\n\n\\[^1\\]: https://a.cn'],
    ['cells beyond the columns', '| a | b |\n|---|---|\n| 1 | 2 | 3 | x\\|y |', '| a | b |\n| --- | --- |\n| 1 | 2 \\| 3 \\| x\\|y |'],
    ['what stands beside a language', '```js title="brew.js"\nx\n```', 'title="brew.js"\n\n```javascript\nx\n```'],
    ['a link around nothing', '[](https://a.cn) and [ ](https://b.cn)', 'https://a.cn and https://b.cn'],
    ['a link around a picture', '[![cup](file:f_1#8x6)](https://a.cn)', '![cup](file:f_1#8x6)\n\nhttps://a.cn'],
    ['a picture of another host in a link', '[![cup](https://a.cn/b.png)](https://c.cn)', '[cup ](https://c.cn)https://a.cn/b.png'],
    ['a picture that leads nowhere', '![cup](cup.png "Mine")', '!\\[cup\\](cup.png "Mine")'],
    ['the title of a picture', '![cup](file:f_1#8x6 "Mine") tea', '![cup](file:f_1#8x6)\n\nMine  tea'],
    ['a link to an address with blanks', '[tea](<https://a.cn/a b> "T")', '[tea](https://a.cn/a%20b "T")'],
    ['one with a joiner', '[tea](https://a.cn/می\u200cخواهم)', '[tea](https://a.cn/می%E2%80%8Cخواهم)'],
    ['one with emoji', '[tea](https://a.cn/👨\u200d👩\u200d👧☕️)', '[tea](https://a.cn/👨%E2%80%8D👩%E2%80%8D👧☕️)'],
    ['a picture at such an address', '![cup](<https://a.cn/a b.png>)', '[cup](https://a.cn/a%20b.png)'],
    ['one without words', '![](<https://a.cn/a b.png>)', '[https\\://a.cn/a b.png](https://a.cn/a%20b.png)'],
    ['a definition of such an address', '[x][a]\n\n[a]: <https://a.cn/a b>', '[x](https://a.cn/a%20b)'],
    ['an address in brackets', '<https://a.cn/می\u200cخواهم>', 'https://a.cn/می\u200cخواهم'],
    ['HTML', '<!-- why --> <b>x</b> &copy; &nothing;', '\\<!-- why --> \\<b>x\\</b> © \\&nothing;'],
  ])('%s', (_, written, expected) => {
    expect(read(written)).toBe(expected)
    expect(read(expected)).toBe(expected)
  })

  test('of any mix of Markdown', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom('\n', '\n\n', ' '), { maxLength: 8 }),
        (pieces, ends) => {
          const written = numbered(pieces.map((one, at) => one + (ends[at] ?? '\n\n')).join(''))
          const document = fromMarkdown(written)
          const json = JSON.stringify(document)
          expect((written.match(/w\d+w/g) ?? []).filter((word) => !json.includes(word))).toEqual([])
          expect(fromMarkdown(toMarkdown(document))).toEqual(document)
        },
      ),
      { numRuns: runs(3000) },
    )
  })

  test('of definitions, however many there are', () => {
    const written = Array.from({ length: 400 }, (_, at) => `[a${at}]: https://a.cn/${at} "t${at}t"\n\n[b${at}][a${at + 1}]`).join('\n\n')
    const text = toText(fromMarkdown(written))
    expect(text).toContain('[a0]: https://a.cn/0 "t0t"')
    expect(text).toContain('b398')
    expect(text).toContain('[b399][a400]')
  })

  test.each([
    ['unused', (at: number) => `[a${at}]: https://a.cn\n`],
    ['used', (at: number) => `[a${at}]: https://a.cn\n\n[x][a${at}]\n\n`],
    ['used by the next', (at: number) => `[a${at}]: <https://a.cn/[a${at + 1}]>\n`],
    ['that lead nowhere', (at: number) => `[a${at}]: a\n`],
  ])('definitions that are %s cost no more than their length', async (_, line) => {
    expect(
      await isLinear((length) => {
        const text = Array.from({ length: length / 20 }, (__, at) => line(at)).join('')
        return () => fromMarkdown(text)
      }),
    ).toBe(true)
  })
})

/** Replaces every `w` in a piece by a unique word, except in the label of a link definition. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll(/\bw\b/g, () => `w${count++}w`)
}

const inline = fc.constantFrom(
  'w w',
  '**w** w',
  '[w](https://a.cn/w "w")',
  '[w](w)',
  '[w](w "w w")',
  '[](https://a.cn/w)',
  '[ ](https://a.cn/w)',
  '[**w**][one]',
  '[w][two]',
  '[w][]',
  '[one]',
  '![w](file:f_1#8x6 "w")',
  '![w](file:f_1#80 "w")',
  '![w](https://a.cn/w.png "w")',
  '![w](w.png)',
  '![w [w](https://a.cn/w) ![w](w)](file:f_1#8x6)',
  '[![w](https://a.cn/w.png)](https://a.cn/w)',
  '[![w](file:f_1#8x6)](https://a.cn/w)',
  '@[w](member:1)',
  '[@[w](member:1)](https://a.cn/w)',
  `@[w ${'x'.repeat(60)} w](member:1)`,
  `![${'x'.repeat(310)} w](file:f_1#8x6)`,
  `[w](https://a.cn/w "${'x'.repeat(210)} w")`,
  'https://a.cn/w(w)',
  '<https://a.cn/w>',
  '<w:w>',
  '<w@a.cn>',
  '`w`',
  '``w',
  '~~w~~',
  '[w]{bold}',
  '<b title="w">w</b>',
  '<!-- w -->',
  '<br>w',
  'w[^w]',
  '&w; w&nbsp;w',
  'w\\',
  '\\[w]',
  '$w$',
)
const block = fc.oneof(
  inline,
  fc.constantFrom(
    '[one]: https://a.cn/w "w"',
    '[two]: w',
    '[two]: <w> "w"',
    '[one]: https://b.cn/w',
    '[three]: https://c.cn/w',
    '[^w]: w',
    '[^w]: https://a.cn/w',
    '*[w]: w',
    '```w w="w"\nw\n```',
    '```{.w w}\nw\n```',
    '~~~ w:w\nw\n~~~',
    '    w',
    '# w {#w}',
    'w\n===',
    '## w ##',
    '| w | w |\n|---|:-:|\n| w | w | w | w \\| w |\n| w |',
    'w | w\n-|-\nw | [one] | w',
    '<div>\nw\n</div>',
    '---',
    '***\nw: w\n---',
    ': w',
    '- [ ] w',
    '- [x]: w',
    '1. w\n   w',
    ':::note\nw\n:::',
  ),
)
const piece = fc
  .tuple(fc.constantFrom('', '', '', '> ', '- ', '1. ', '> - ', '#### '), block)
  .map(([before, text]) => before + text.replaceAll('\n', `\n${before.replaceAll(/[^>]/g, ' ')}`))
