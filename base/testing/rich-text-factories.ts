import fc from 'fast-check'
import { codeLanguages } from '#base/rich-text/code-language.ts'
import type { Attachment, Block, Cell, Doc, Hidden, Inline, Item, Mark, Paragraph, Picture, Task, Text } from '#base/rich-text/document.ts'

const words = fc.constantFrom(
  '茶',
  '注意：',
  '「好」',
  '，',
  '你好。',
  'tea',
  'a',
  'http://a.cn',
  'https://a.cn/b_(c)',
  'https://茶.cn/好*x',
  'https://a.cn/می\u200cخ',
  '🍵',
  '👩‍👩‍👧',
  'é',
  '　',
  '\u00a0',
  '\u200b',
)
const signs = fc.constantFrom(
  '*',
  '**',
  '_',
  '__',
  '~~',
  '~',
  '`',
  '```',
  '[',
  ']',
  '](',
  '![',
  '(',
  ')',
  '{bold}',
  ']{',
  '<',
  '<br>',
  '<b>',
  '</script>',
  '>',
  '#',
  '## ',
  '- ',
  '+ ',
  '1. ',
  '12) ',
  '|',
  '\\',
  '\\\\',
  '&',
  '&amp;',
  '&#32;',
  '=',
  '---',
  '===',
  ':---',
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\r',
  '@',
  '@[',
  '(member:1)',
  '!',
  '"',
  "'",
  ':',
  '://',
  '[ ] ',
  '[x]',
  '[a]: /b',
  ':::',
  ':::hidden points=5',
  '：：：',
  '::hidden',
)
/** Text full of Markdown and HTML syntax. */
export const hostileText = fc
  .array(fc.oneof(words, signs, fc.string({ maxLength: 5 }), fc.string({ unit: 'binary', maxLength: 3 })), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
const someText = hostileText.filter((text) => text !== '')

const addresses = fc.constantFrom(
  'https://a.cn',
  'https://a.cn/b_c?d=1&amp;e=(f)#g',
  'http://a.cn/*a*\\b',
  '/thread?topicId=1',
  'mailto:a@b.cn',
  'https://a.cn/<b>`"\'|)',
  'https://茶.cn/好',
)
const label = someText.map((text) => text.slice(0, 50).replace(/\p{Cs}$/u, ''))
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.constantFrom<Mark>({ type: 'bold' }, { type: 'italic' }, { type: 'strike' }, { type: 'code' }),
  addresses.map((href): Mark => ({ type: 'link', attrs: { href } })),
  fc.record({ href: addresses, title: label }).map((attrs): Mark => ({ type: 'link', attrs })),
)
const text: fc.Arbitrary<Text> = fc.oneof(
  someText.map((text): Text => ({ type: 'text', text })),
  fc.record({ type: fc.constant('text' as const), text: someText, marks: fc.array(mark, { maxLength: 3 }) }),
  addresses.map((href): Text => ({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })),
)
const id = fc.integer({ min: 1, max: 999_999 }).map(String)
const mention = fc.record({ id, label }).map((attrs): Inline => ({ type: 'mention', attrs }))
const inline: fc.Arbitrary<Inline> = fc.oneof({ weight: 6, arbitrary: text }, mention, fc.constant<Inline>({ type: 'hardBreak' }))
const inlines = fc.array(inline, { maxLength: 5 })

const paragraph = inlines.map((content): Paragraph => (content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' }))
const side = fc.integer({ min: 1, max: 65_535 })
const file = fc.stringMatching(/^[\w-]{1,64}$/)
const picture = fc
  .record({ file, alt: fc.oneof(hostileText, fc.constant('')), width: side, height: side })
  .map((attrs): Picture => ({ type: 'image', attrs }))
const attachment = fc
  .record({
    file,
    // The API rejects NUL.
    name: someText.map((text) =>
      text
        .replaceAll('\0', '')
        .slice(0, 200)
        .replace(/\p{Cs}$/u, ''),
    ),
    bytes: fc.integer({ min: 1, max: 999_999_999 }),
  })
  .map((attrs): Attachment => ({ type: 'file', attrs }))
const heading = fc
  .record({ level: fc.constantFrom(2 as const, 3 as const, 4 as const), content: inlines })
  .map(({ level, content }): Block => ({ type: 'heading', attrs: { level }, content }))
const codeText = fc
  .array(fc.oneof(hostileText, fc.constantFrom('\n', '\n\n', '    ', '\t', '````', '~~~')), { maxLength: 4 })
  .map((pieces) => pieces.join(''))
const language = fc.oneof(
  fc.constantFrom(...Object.keys(codeLanguages)),
  fc.constantFrom(
    'ts',
    'sql',
    'json',
    'yaml',
    'rust',
    'c',
    'php',
    'sh',
    'JSON',
    'C++',
    'f#',
    'asp.net',
    'objective-c',
    '文言',
    'Js',
    '-',
    '+',
    '.',
  ),
  fc.string({ unit: fc.constantFrom(...'aZ9_+#.-茶é'), minLength: 1, maxLength: 30 }),
)
const code = fc
  .record({ language, text: codeText })
  .map(({ language, text }): Block => ({ type: 'codeBlock', attrs: { language }, ...(text && { content: [{ type: 'text', text }] }) }))
const cell = fc
  .record({
    type: fc.constantFrom('tableCell' as const, 'tableHeader' as const),
    align: fc.constantFrom('left', 'center', 'right', null),
    content: paragraph,
  })
  .map(({ type, align, content }): Cell => ({ type, attrs: { align }, content: [content] }))
const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((content) => ({ type: 'tableRow' as const, content }))
const table = fc.array(row, { minLength: 1, maxLength: 4 }).map((content): Block => ({ type: 'table', content }))

const { block } = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => {
  const content = tie('blocks')
  const items = fc.array(
    content.map((content): Item => ({ type: 'listItem', content })),
    { minLength: 1, maxLength: 3 },
  )
  const tasks = fc.array(
    fc.record({ checked: fc.boolean(), content }).map(({ checked, content }): Task => ({ type: 'taskItem', attrs: { checked }, content })),
    { minLength: 1, maxLength: 3 },
  )
  return {
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3, depthIdentifier: 'blocks' }),
    block: fc.oneof(
      { depthIdentifier: 'blocks', depthSize: 'small', maxDepth: 4 },
      paragraph,
      picture,
      attachment,
      heading,
      code,
      table,
      fc.constant<Block>({ type: 'horizontalRule' }),
      items.map((content): Block => ({ type: 'bulletList', content })),
      fc
        .record({ start: fc.integer({ min: 0, max: 999_999_999 }), content: items })
        .map(({ start, content }): Block => ({ type: 'orderedList', attrs: { start }, content })),
      tasks.map((content): Block => ({ type: 'taskList', content })),
      content.map((content): Block => ({ type: 'blockquote', content })),
    ),
  }
})

const price = fc.integer({ min: 1, max: 99_999_999 }).map(String)
const lock = fc.oneof(
  fc.constant({ lock: 'comment' as const, value: '' }),
  fc.record({ lock: fc.constantFrom('level' as const, 'points' as const, 'balance' as const), value: price }),
  fc.record({ lock: fc.constant('password' as const), value: someText.map((text) => `p${text.slice(0, 40).replace(/\p{Cs}$/u, '')}`) }),
)
const visible: Block = { type: 'paragraph', content: [{ type: 'text', text: 'tea' }] }
const hidden = fc
  .tuple(lock, fc.option(fc.stringMatching(/^[\w-]{1,40}$/), { nil: undefined }), fc.array(block, { maxLength: 3 }))
  .map(([lock, id, content]): Hidden => ({ type: 'hidden', attrs: { ...(id && { id }), ...lock }, content: [...content, visible] }))
const storedHidden = fc
  .tuple(lock, fc.stringMatching(/^[\w-]{1,40}$/))
  .map(([lock, id]): Hidden => ({ type: 'hidden', attrs: { id, ...lock } }))

/** Any document of the schema, especially difficult ones. */
export const anyDocument = fc
  .array(fc.oneof({ weight: 8, arbitrary: block }, { weight: 2, arbitrary: hidden }, storedHidden), { minLength: 1, maxLength: 5 })
  .map((content): Doc => ({ type: 'doc', content }))
