import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentOf } from '#base/rich-text/check-document.ts'
import type { Block, Doc, Inline } from '#base/rich-text/document.ts'
import { anyDocument, hostileText } from '#base/testing/rich-text-factories.ts'
import { fromMarkdown, maxMarkdownLength, MarkdownTooLong, toMarkdown } from '#base/rich-text/markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'

const schema = documentOf({ maxText: 1_000_000, maxPictures: 5000, maxMentions: 5000, hides: true })
/** Additional content, because a blank document is refused. */
const something: Block = { type: 'paragraph', content: [{ type: 'text', text: 'tea' }] }
const long = 60_000

function isValid(doc: Doc): boolean {
  return schema.safeParse({ ...doc, content: [...doc.content, something] }).success
}

function linesOf(text: string): Inline[] {
  const [block] = fromMarkdown(text).content
  return block?.type === 'paragraph' ? (block.content ?? []) : []
}

describe('without loss', () => {
  test(
    'every document comes back from Markdown the same',
    () => {
      fc.assert(
        fc.property(anyDocument, (doc) => {
          expect(fromMarkdown(toMarkdown(doc))).toEqual(normalise(doc))
        }),
        { numRuns: runs(1500) },
      )
    },
    long,
  )

  test(
    'the normal form of a document is its own normal form, and valid',
    () => {
      fc.assert(
        fc.property(anyDocument, (doc) => {
          const normal = normalise(doc)
          expect(normalise(normal)).toEqual(normal)
          expect(isValid(normal)).toBe(true)
        }),
        { numRuns: runs(1000) },
      )
    },
    long,
  )

  test(
    'any text is a valid document, and stable once it was read',
    () => {
      const blocks = fc.array(hostileText, { maxLength: 8 }).map((lines) => lines.join('\n'))
      fc.assert(
        fc.property(fc.oneof(blocks, fc.string({ maxLength: 200 })), (text) => {
          const doc = fromMarkdown(text)
          // A hidden part may lack its condition, or be nested; then it is refused.
          expect(isValid(doc) || JSON.stringify(doc).includes('"hidden"')).toBe(true)
          const written = toMarkdown(doc)
          expect(fromMarkdown(written)).toEqual(doc)
          expect(toMarkdown(fromMarkdown(written))).toBe(written)
        }),
        // Two lists beside a nested hidden part stay two.
        { numRuns: runs(1500), examples: [[':::茶\n1. a\n12) b\n:::hidden comment=1']] },
      )
    },
    long,
  )

  test.each([
    ['words with signs in them', 'snake_case, 2 + 2 = 4 (or 5?) & more: a/b #3 好的~ 100% <3 “quoted” it’s'],
    ['Chinese punctuation beside bold', '**注意：**请看，*这里。*然后'],
    ['an address', '见 https://teahouse.example/thread?topicId=1&page=2#c_3，谢谢'],
    ['marks within marks', '**bold *and italic* ~~gone~~** `code` [a **link**](https://a.cn)'],
    ['a mention', '@[小茶](member:12) 你好'],
    ['lists', '- one\n- two\n  - three\n\n1. first\n2. second\n\n- [ ] to do\n- [x] done'],
    ['a table', '| a | b |\n| :--- | ---: |\n| 1 | x\\|y |'],
    ['code', '```javascript\nconst a = `b`\n\n\tc\n```'],
    ...['ts', 'sql', 'json', 'yaml', 'rust', 'c', 'php', 'sh', 'C++', 'objective-c'].map((name): [string, string] => [
      `code in ${name}`,
      `\`\`\`${name}\nx\n\`\`\``,
    ]),
    ['a picture', '![A cup](file:f_abc#800x600)'],
    ['a quote, a break and a line', '> one\\\n> two\n\n---\n\n### three'],
  ])('%s read well as Markdown', (_, text) => {
    expect(toMarkdown(fromMarkdown(text))).toBe(text)
  })

  test('a bold word that ends in a space keeps it', () => {
    const bold: Inline = { type: 'text', text: 'tea ', marks: [{ type: 'bold' }] }
    const doc: Doc = { type: 'doc', content: [{ type: 'paragraph', content: [bold, { type: 'text', text: 'house' }] }] }
    expect(toMarkdown(doc)).toBe('[tea ]{bold}house')
    expect(fromMarkdown(toMarkdown(doc))).toEqual(doc)
  })
})

describe('the meaning of Markdown', () => {
  test('headings are of the three levels a post has', () => {
    const levels = fromMarkdown('# a\n## b\n### c\n#### d\n##### e\n###### f').content.map(
      (block) => block.type === 'heading' && block.attrs.level,
    )
    expect(levels).toEqual([2, 2, 3, 4, 4, 4])
  })

  test('HTML is text', () => {
    expect(linesOf('<b onclick=x>hi</b> <script>')).toEqual([{ type: 'text', text: '<b onclick=x>hi</b> <script>' }])
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'vbscript:x',
    'file:///etc/passwd',
    '#brewing',
    'help',
    '../help?page=2',
    '',
  ])('a link to %j is text, as it was written', (address) =>
    expect(linesOf(`a [*tea* pot](<${address}>)`)).toEqual([
      { type: 'text', text: 'a [' },
      { type: 'text', text: 'tea', marks: [{ type: 'italic' }] },
      { type: 'text', text: ` pot](${address})` },
    ]),
  )

  test('a link keeps its title, and other marks within it', () => {
    const link = { type: 'link', attrs: { href: 'https://a.cn', title: 'All "about" tea' } }
    const text = '[the **best** tea](https://a.cn "All \\"about\\" tea")'
    expect(linesOf(text)).toEqual([
      { type: 'text', text: 'the ', marks: [link] },
      { type: 'text', text: 'best', marks: [link, { type: 'bold' }] },
      { type: 'text', text: ' tea', marks: [link] },
    ])
    expect(toMarkdown(fromMarkdown(text))).toBe(text)
    expect(linesOf('<tea:pot> [x]: no')).toEqual([{ type: 'text', text: '<tea:pot> [x]: no' }])
  })

  test('a picture from elsewhere is a link, unless it is known', () => {
    const link = { type: 'link', attrs: { href: 'https://a.cn/b.png' } }
    expect(linesOf('![cup](https://a.cn/b.png)')).toEqual([{ type: 'text', text: 'cup', marks: [link] }])
    const known = fromMarkdown('![cup](picture:teacup)', { picture: () => ({ file: 'f_1', width: 8, height: 6 }) })
    expect(known.content).toEqual([{ type: 'image', attrs: { file: 'f_1', alt: 'cup', width: 8, height: 6 } }])
    expect(linesOf('![cup](file:f_1#0x99999)')).toEqual([{ type: 'text', text: '![cup](file:f_1#0x99999)' }])
  })

  test('words beside a picture are paragraphs of their own', () => {
    const kinds = fromMarkdown('one ![cup](file:f_1#8x6) two\n\n| a ![cup](file:f_1#8x6) |\n|---|').content.map((block) => block.type)
    expect(kinds).toEqual(['paragraph', 'image', 'paragraph', 'table', 'image'])
  })

  test('a known name is a mention, but not in code, a link or an address', () => {
    const mention = (account: string) => (account === 'mei' ? { id: '7', label: '梅' } : null)
    const doc = fromMarkdown('@mei @bo `@mei` [@mei](https://a.cn) a@mei.cn https://a.cn/@mei', { mention })
    expect(JSON.stringify(doc).match(/"mention"/g)).toHaveLength(1)
    expect(toText(doc)).toBe('@梅 @bo @mei @mei a@mei.cn https://a.cn/@mei')
  })

  test('blocks nested too deep are lifted, and no text is lost', () => {
    const quoted = fromMarkdown(`${'> '.repeat(30)}tea`)
    const listed = fromMarkdown(Array.from({ length: 15 }, (_, depth) => `${'  '.repeat(depth)}- ${depth}`).join('\n'))
    expect([isValid(quoted), isValid(listed)]).toEqual([true, true])
    expect([toText(quoted), toText(listed).split('\n').length]).toEqual(['tea', 15])
  })

  test('a table that is too large becomes lines', () => {
    const row = (count: number, cell: string) => `|${`${cell}|`.repeat(count)}`
    const wide = fromMarkdown([row(40, 'a'), row(40, '-'), row(40, 'b')].join('\n'))
    expect(wide.content.map((block) => block.type)).toEqual(['paragraph', 'paragraph'])
    expect(isValid(fromMarkdown([row(2, 'a'), row(2, '-'), ...Array.from({ length: 300 }, () => row(2, 'b'))].join('\n')))).toBe(true)
  })
})

describe('a text', () => {
  test('that is too long is refused', () => {
    expect(() => fromMarkdown('a'.repeat(maxMarkdownLength + 1))).toThrow(MarkdownTooLong)
  })
})
