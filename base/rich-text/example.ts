import fc from 'fast-check'
import { codeLanguages, type CodeLanguage } from '#base/rich-text/code-language.ts'
import type { Block, Doc, Inline, Item, Mark, Paragraph, Task, Text } from '#base/rich-text/document.ts'

/** Text that is full of what Markdown, HTML and people make of characters. */
const shards = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '```',
    '[',
    ']',
    '](',
    ')',
    '(',
    '!',
    '![',
    '@',
    '@[',
    '<',
    '>',
    '&',
    '|',
    '\\',
    '#',
    '## ',
    '+',
    '-',
    '- ',
    '---',
    '=',
    '===',
    ':',
    ':-',
    '1.',
    '2) ',
    '"',
    "'",
    '$',
    '^',
    '{',
    '}',
  ],
  ...[' ', '  ', '    ', '\t', '\u00a0', '\u3000', '\u200b', '\u2028', '\n', '\r\n', '\u0001', '\u0085'],
  ...[
    '&nbsp;',
    '&amp;',
    '&#32;',
    '<br>',
    '<!-- -->',
    '<b>',
    '</script>',
    '<https://a.cn>',
    '[x]',
    '[ ] ',
    '[a](/b)',
    '![a](/file/f_a =1x2)',
    '@[a](member:1)',
    '| a | b |',
    '|---|',
    ':--',
    '[a]: /b',
  ],
  ...['中文', '“引号”', '，', '。', '！', '茶', '馆', '😀', '👨‍👩‍👧', '🇨🇳', 'é', 'e\u0301', 'a', 'b', 'word', 'snake_case', '9', 'İ', '\u202e'],
]
const words = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...shards), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\0', '?')) },
)

const href = fc.constantFrom(
  'https://example.com/',
  'http://a.cn/(b)?c=d&e=f*g_h',
  'mailto:mei@example.com',
  '/thread?topicId=1',
  'https://例子.中国/路径',
  'https://a.cn/&amp;|x',
  '/a<b>c',
  '/[x](y)',
  '/)',
)
const plainMark = fc.constantFrom<Mark>({ type: 'bold' }, { type: 'italic' }, { type: 'strike' }, { type: 'code' })
const link = href.map((address): Mark => ({ type: 'link', attrs: { href: address } }))
const marks = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: plainMark }, { weight: 1, arbitrary: link }), {
  maxLength: 4,
  selector: (mark) => mark.type,
})

const text = fc
  .record({ text: words, marks })
  .map(({ text: said, marks: its }): Text => ({ type: 'text', text: said, ...(its.length > 0 && { marks: its }) }))
const mention = fc
  .record({ id: fc.constantFrom('1', '42', '900719925474099'), label: words.map((label) => label.slice(0, 20).toWellFormed()) })
  .map((attrs): Inline => ({ type: 'mention', attrs }))
const inline = fc.oneof<fc.MaybeWeightedArbitrary<Inline>[]>(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: mention },
  { weight: 1, arbitrary: fc.constant<Inline>({ type: 'hardBreak' }) },
)
const inlines = fc.array(inline, { maxLength: 6 })
const paragraph = inlines.map((content): Paragraph => ({ type: 'paragraph', ...(content.length > 0 && { content }) }))

const side = fc.integer({ min: 1, max: 20_000 })
const picture = fc
  .record({ file: fc.constantFrom('f_7kQ', 'f_-_-', 'a'), alt: fc.oneof(fc.constant(''), words), width: side, height: side })
  .map((attrs): Block => ({ type: 'image', attrs: { ...attrs, alt: attrs.alt.slice(0, 100).toWellFormed() } }))

const code = fc
  .record({
    language: fc.constantFrom(...(Object.keys(codeLanguages) as CodeLanguage[])),
    text: fc.oneof(
      fc.constant(''),
      fc.array(words, { maxLength: 4 }).map((lines) => lines.join('\n')),
    ),
  })
  .map(({ language, text: said }): Block => ({
    type: 'codeBlock',
    attrs: { language },
    ...(said && { content: [{ type: 'text', text: said }] }),
  }))

const heading = fc
  .record({ level: fc.constantFrom<2 | 3 | 4>(2, 3, 4), content: inlines })
  .map(({ level, content }): Block => ({ type: 'heading', attrs: { level }, ...(content.length > 0 && { content }) }))

const cell = fc.record({
  type: fc.constantFrom<'tableCell' | 'tableHeader'>('tableCell', 'tableHeader'),
  attrs: fc.record({ align: fc.constantFrom<'left' | 'center' | 'right' | null>('left', 'center', 'right', null) }),
  content: fc.tuple(paragraph),
})
const table = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((rows): Block => ({ type: 'table', content: rows.map((content) => ({ type: 'tableRow', content })) }))

const rule = fc.constant<Block>({ type: 'horizontalRule' })
const depth = fc.createDepthIdentifier()

const { block } = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => {
  const inside = tie('blocks')
  const items = fc.array(
    inside.map((content): Item => ({ type: 'listItem', content })),
    { minLength: 1, maxLength: 3 },
  )
  const tasks = fc.array(
    fc.record({ type: fc.constant<'taskItem'>('taskItem'), attrs: fc.record({ checked: fc.boolean() }), content: inside }),
    { minLength: 1, maxLength: 3 },
  )
  return {
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
    block: fc.oneof<fc.MaybeWeightedArbitrary<Block>[]>(
      { depthIdentifier: depth, maxDepth: 3, depthSize: 'small' } as never,
      { weight: 6, arbitrary: paragraph },
      { weight: 1, arbitrary: heading },
      { weight: 1, arbitrary: code },
      { weight: 1, arbitrary: picture },
      { weight: 1, arbitrary: table },
      { weight: 1, arbitrary: rule },
      { weight: 1, arbitrary: items.map((content): Block => ({ type: 'bulletList', content })) },
      {
        weight: 1,
        arbitrary: fc
          .record({ start: fc.constantFrom(0, 1, 2, 10, 999_999_999), content: items })
          .map(({ start, content }): Block => ({ type: 'orderedList', attrs: { start }, content })),
      },
      { weight: 1, arbitrary: tasks.map((content: Task[]): Block => ({ type: 'taskList', content })) },
      { weight: 1, arbitrary: inside.map((content): Block => ({ type: 'blockquote', content })) },
    ),
  }
})

/** Any document that a topic may hold. */
export const anyDocument: fc.Arbitrary<Doc> = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((content): Doc => ({ type: 'doc', content }))
/** Any document that a reply may hold. */
export const anyReply: fc.Arbitrary<Doc> = fc
  .array(fc.oneof(paragraph, picture), { minLength: 1, maxLength: 4 })
  .map((content): Doc => ({ type: 'doc', content: content as Block[] }))
/** Any text, and much that looks like Markdown or HTML. */
export const anyMarkdown: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.constantFrom(...shards, '\n\n', '\n> ', '\n- ', '\n  ', '\n1. ', '\n```js\n', '\n| a |\n|---|\n'), { maxLength: 40 })
    .map((parts) => parts.join('')),
)
