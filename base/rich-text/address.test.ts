import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressesIn } from '#base/rich-text/address.ts'
import type { Block } from '#base/rich-text/document.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { runs } from '#base/testing/extent.ts'
import { hostileInputs } from '#base/testing/hostile-inputs.ts'
import { isLinear } from '#base/testing/steps.ts'

/** The addresses in a text, as pasted or typed. */
const inText = (text: string) => addressesIn(text).flatMap(({ from, to, href }) => (href ? [text.slice(from, to)] : []))
/** The links of the same text as Markdown. */
const inMarkdown = (text: string) => fromMarkdown(text).content.flatMap(linksOf)

function linksOf(block: Block): string[] {
  if (block.type !== 'paragraph') return []
  return (block.content ?? []).flatMap((inline) =>
    inline.type === 'text' ? (inline.marks ?? []).flatMap((mark) => (mark.type === 'link' ? [inline.text] : [])) : [],
  )
}

test('addresses that were pasted without a blank between them are two', () => {
  for (const [text, first, second] of [
    ['https://a.example', 'https://b.example', ''],
    ['https://a.example', 'https://b.example/tea', ''],
    ['HTTP://a.example', 'http://b.example', ', and'],
  ] as const) {
    const glued = `${text}${first}${second}`
    expect(inText(glued)).toEqual([text, first])
    expect(inMarkdown(glued)).toEqual([text, first])
  }
  expect(inText('https://http.example https://docs.http')).toEqual(['https://http.example', 'https://docs.http'])
})

describe('an address ends where its writer ended it', () => {
  test.each([
    ['see https://en.wikipedia.org/wiki/Tea_(disambiguation) ok', 'https://en.wikipedia.org/wiki/Tea_(disambiguation)'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['(https://example.com/a)后面', 'https://example.com/a'],
    ['(see https://example.com/a_(b)_c, ok)', 'https://example.com/a_(b)_c'],
    ['https://example.com/a(b', 'https://example.com/a'],
    ['https://ru.wikipedia.org/wiki/Чай.', 'https://ru.wikipedia.org/wiki/Чай'],
    ['见https://zh.wikipedia.org/wiki/茶道，', 'https://zh.wikipedia.org/wiki/茶道'],
    ['https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ。', 'https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ'],
    ['https://en.wikipedia.org/wiki/Michelson–Morley_experiment – a test', 'https://en.wikipedia.org/wiki/Michelson–Morley_experiment'],
    ['https://例子.测试/路', 'https://例子.测试/路'],
    ['https://bücher.example', 'https://bücher.example'],
    ['https://example.中国/路、', 'https://example.中国/路'],
    ['https://example.com/a。后面', 'https://example.com/a'],
    ['https://example.com。Teahouse', 'https://example.com'],
    ['https://example.com/路，然后', 'https://example.com/路'],
    ['“https://example.com/a”后面', 'https://example.com/a'],
    ['"https://example.com"', 'https://example.com'],
    ['https://example.com/a——后面', 'https://example.com/a'],
    ['https://example.com/a,后面', 'https://example.com/a'],
    ['https://example.com/茶道,然后看', 'https://example.com/茶道'],
    ['https://example.com/a.html...这里', 'https://example.com/a.html'],
    ['https://example.com/a?b=1;ここ', 'https://example.com/a?b=1'],
    ['https://example.com/1,2,c', 'https://example.com/1,2,c'],
    ['https://zh.wikipedia.org/wiki/Wikipedia:首页', 'https://zh.wikipedia.org/wiki/Wikipedia:首页'],
    ['https://example.com/?茶', 'https://example.com/?茶'],
    ['https://example.com/a?b=c&d=(e)', 'https://example.com/a?b=c&d=(e)'],
    ['https://example.com/a_b_c', 'https://example.com/a_b_c'],
    ['https://example.com/a*b*c', 'https://example.com/a*b*c'],
    ['https://en.wikipedia.org/wiki/C++', 'https://en.wikipedia.org/wiki/C++'],
    ['http://a.b.c...', 'http://a.b.c'],
    ['https://user@host', 'https://user@host'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['https://example.com/a🍵', 'https://example.com/a'],
    ['https://example.com1️⃣', 'https://example.com'],
    ['https://example.com/a\nthen', 'https://example.com/a'],
    ['看https://example.com这里', 'https://example.com'],
    ['https://example.com에서', 'https://example.com'],
    ['https://web.archive.org/web/2/https://a.cn/', 'https://web.archive.org/web/2/https://a.cn/'],
    ['https://fa.wikipedia.org/wiki/می\u200cخواهم؟', 'https://fa.wikipedia.org/wiki/می\u200cخواهم'],
  ])('%j', (text, address) => {
    expect(inText(text)).toEqual([address])
    expect(inMarkdown(text)).toEqual([address])
  })

  test('two that follow one another without a blank are two', () => {
    for (const text of ['1.https://a.cn/b,https://c.cn/d', 'https://a.cn/b；https://c.cn/d', '[https://a.cn/b]https://c.cn/d'])
      expect([inText(text).length, inMarkdown(text).length]).toEqual([2, 2])
  })

  test.each(['https://i❤.ws/x', 'https://example。com', 'https://a@b@c', 'https://', 'https://.', 'xhttps://a.cn', 'http://a:b(c)@d'])(
    'an address is not cut if that would lead to another host: %j',
    (text) => expect([inText(text), inMarkdown(text)]).toEqual([[], []]),
  )

  test('an address with an invisible character links to the written address', () => {
    const [address] = addressesIn('https://fa.wikipedia.org/wiki/می\u200cخواهم')
    expect(decodeURI(address?.href ?? '')).toBe('https://fa.wikipedia.org/wiki/می\u200cخواهم')
  })
})

describe('inside Markdown', () => {
  test.each([
    ['**https://example.com/a**后面', 'https://example.com/a'],
    ['**看 https://example.com/a_b**。', 'https://example.com/a_b'],
    ['*a* https://example.com/a*b*', 'https://example.com/a*b'],
    ['~~https://example.com/a~~后面', 'https://example.com/a'],
    ['_https://example.com/a_', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['https://example.com/a`b`', 'https://example.com/a'],
    ['https://example.com/a<br>b', 'https://example.com/a'],
    ['https://my\\_host.example/a\\_b', 'https://my_host.example/a_b'],
    ['https://example.com/?a=1&amp;b=2&gt;', 'https://example.com/?a=1&b=2'],
    ['https://example.com/@[茶](member:1)', 'https://example.com/'],
  ])('%j', (text, address) => expect(inMarkdown(text)).toEqual([address]))

  test('an escaped address is no link', () => expect(inMarkdown('https\\://example.com \\https://a.cn')).toEqual([]))
})

const words = fc.constantFrom(
  'tea',
  'A1',
  'b_c',
  'Чай',
  '茶道',
  'чай-x',
  'شاي',
  'चाय',
  '차',
  'é',
  '%E8',
  'C语言',
  "x'y",
  'a.b',
  '1,2',
  '~x',
  '·茶',
)
const segment = fc.oneof(
  { weight: 4, arbitrary: words },
  words.map((word) => `(${word})`),
  words.map((word) => `x[${word}(1)]`),
)
const path = fc.array(fc.tuple(fc.constantFrom('/', '/x?q=', '/#', '/-'), segment)).map((parts) => parts.flat().join(''))
const host = fc.constantFrom(
  'example.com',
  'a.b.c',
  '例子.测试',
  'пример.рф',
  'bücher.example',
  '127.0.0.1:80',
  'x_y.example.org',
  'me:pw@host.cn',
)
const before = fc.constantFrom('', ' ', '看', '(', '（', '“', '"', '：', '\n', '茶。', '<', 'a ')
const after = fc
  .tuple(
    fc.constantFrom(' ', '\n', '。', '，', '）', '”', '"', '……', '🍵', '. ', ', ', '! ', ') ', ')', '》', ':\n', '?」', "'。", '>'),
    fc.constantFrom('', 'then', '然后', '(x)', '。'),
  )
  .map((parts) => parts.join(''))
const anyAddress = fc.tuple(fc.constantFrom('https://', 'http://', 'HTTPS://'), host, path).map((parts) => parts.join(''))

test('any address is found whole and alone, with any text around it, typed, pasted or written', () => {
  fc.assert(
    fc.property(before, anyAddress, after, (left, address, right) => {
      expect(inText(left + address + right)).toEqual([address])
      expect(inMarkdown(left + address + right)).toEqual([address])
    }),
    { numRuns: runs(3000) },
  )
})

test('a cut never changes the host', () => {
  const piece = fc.constantFrom(
    'a',
    'b.',
    '茶',
    '.',
    '-',
    '_',
    '。',
    '@',
    ':',
    '80',
    '❤',
    ')',
    '(',
    ',',
    '/',
    '?',
    'пр',
    '%61',
    '*',
    '\u200d',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = `https://${pieces.join('')}`
      const [address] = addressesIn(text)
      if (!address?.href) return
      const rest = text.slice(address.to)
      // Two full stops are not part of a name.
      const { host: read, pathname, search, hash } = new URL(address.href)
      if (pathname + search + hash !== '/' || address.href.endsWith('/')) return
      expect(rest).not.toMatch(/^[_-]*\.?[_-]*[a-z\d]/)
      expect(rest).not.toMatch(/^[^/?。，]*@/)
      expect(read).not.toBe('')
    }),
    { numRuns: runs(3000) },
  )
})

test.each([
  ...hostileInputs,
  ['addresses in brackets', (length: number) => 'http://a/('.repeat(length / 10)] as const,
  ['addresses that nothing ends', (length: number) => 'http://a/b'.repeat(length / 10)] as const,
  ['addresses without a host', (length: number) => 'http://('.repeat(length / 8)] as const,
  ['addresses in stars', (length: number) => '*x http://a/*b '.repeat(length / 15)] as const,
  ['names without end', (length: number) => `http://${'a@'.repeat(length / 2)}`] as const,
])('%s costs no more than its length', async (_, grow) => {
  expect(
    await isLinear((length) => {
      const text = grow(length)
      return () => [addressesIn(text), addressesIn(`https://a.cn/${text}`), fromMarkdown(text.slice(0, 100_000))]
    }),
  ).toBe(true)
})
