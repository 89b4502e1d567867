import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { discourseBody } from '#importer/server/discourse/cooking.ts'
import { fileIdAt } from '#importer/server/discourse/upload-address.ts'

const people: Record<string, string> = { 'ann.lee': 'member/2', mei_: 'member/3' }

function read(raw: string, polls: readonly string[] = []) {
  return discourseBody(raw, {
    mentioned: (name) => people[name.toLowerCase()] ?? null,
    fileAt: (address, label) => {
      const id = fileIdAt(address)
      return id === null ? null : { id: id.replace(/^0+/, ''), name: label.split('|')[0] || 'stored name' }
    },
    polls: new Set(polls),
  })
}

/** The document as Markdown, without its backslashes before signs of the text. */
const shown = (raw: string, polls: readonly string[] = []) => toMarkdown(read(raw, polls).document).replaceAll(/\\([[\]:.])/g, '$1')
const blocks = (raw: string) => read(raw).document.content
const file = (id: string, name: string) => ({ type: 'file', attrs: { file: `import:file/${id}`, name, bytes: 1 } })
const said = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

describe('a quote', () => {
  test.each([
    ['of a post', '[quote="Ann, post:3, topic:4"]\ngreen\n[/quote]\n\nyes', '> [Ann](t/4/3):\n>\n> green\n\nyes'],
    ['on one line', '[quote="Ann, post:3, topic:4, full:true"]green[/quote] yes', '> [Ann](t/4/3):\n>\n> green\n\nyes'],
    ['without an author', '[quote]\ngreen\n[/quote]', '> green'],
    ['of a name alone', '[quote="Ann, the second"]green[/quote]', '> Ann, the second:\n>\n> green'],
    ['in curly marks', '[quote=“Ann, post:3, topic:4”]\ngreen\n[/quote]', '> [Ann](t/4/3):\n>\n> green'],
    ['that never ends', '[quote="Ann"]\ngreen', '[quote="Ann"]\\\ngreen'],
    ['that never began', 'green\n[/quote]', 'green\\\n[/quote]'],
    ['within code', '```\n[quote]\nx\n[/quote]\n```', '```\n[quote]\nx\n[/quote]\n```'],
    ['with its end in code', '[quote]\nwrite `[/quote]` there\n[/quote]', '> write `[/quote]` there'],
    ['in a list', '- one\n  [quote="Ann"]\n  green\n  [/quote]\n- two', '- one\n\n  > Ann:\n  >\n  > green\n\n- two'],
    ['of a chat', '[chat quote="ann;12;2024-01-01T10:00:00Z" channel="Tea" channelId="2"]\ngreen\n[/chat]', '> ann:\n>\n> green'],
  ])('%s', (_, raw, markdown) => {
    expect(shown(raw)).toBe(markdown)
  })

  test.each([
    ['discourse #2382', '[quote="A"]\n[quote="B"]\nb\n[/quote]\na\n[/quote]\nc', '> A:\n>\n> > B:\n> >\n> > b\n>\n> a\n\nc'],
    ['vanilla/porter #63', '[quote="A"][quote="B"]b[/quote]a[/quote]c', '> A:\n>\n> > B:\n> >\n> > b\n>\n> a\n\nc'],
    ['discourse #16938', '[quote]\n[quote]\ntest\n[/quote]\n\ntest2\n[/quote]', '> > test\n>\n> test2'],
    [
      'discourse #3715',
      '[quote="gw, post:1, topic:70, full:true"]\n```javascript\nvar a = "[/quote]"\n\nvar b\n```\n[/quote]',
      '> [gw](t/70/1):\n>\n> ```javascript\n> var a = "[/quote]"\n>\n> var b\n> ```',
    ],
    [
      'discourse #16078',
      '[quote="Ann Lee, post:3, topic:7, full:true, username:ann.lee"]\nbing\n[/quote]',
      '> [ann.lee](t/7/3):\n>\n> bing',
    ],
    ['discourse #26182', '> [code]\n> line1\n> line2\n> [/code]', '> ```\n> line1\n> line2\n> ```'],
  ])('of %s', (_, raw, markdown) => {
    expect(shown(raw)).toBe(markdown)
  })
})

const tags = [
  '[quote="Ann"]',
  '[quote]',
  '[/quote]',
  '[details=x]',
  '[/details]',
  '[spoiler]',
  '[/spoiler]',
  '[wrap=x]',
  '[/wrap]',
  '[poll]',
  '[/poll]',
]
const signs = [
  '[code]',
  '[/code]',
  '\n```\n',
  '`',
  '[b]',
  '[/b]',
  '[i]',
  '[/i]',
  '> ',
  '- ',
  '1. ',
  '**',
  '<b>',
  '</b>',
  '<sub>',
  '</details>',
  '<br>',
  '|',
]

test('every word stands once, whatever tags are around', () => {
  const part = fc.oneof(fc.constantFrom(...tags, ...signs), fc.constantFrom('\n', '\n\n', ' '), fc.constant('WORD'), fc.constant('WORD'))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      let count = 0
      const raw = parts.map((one) => (one === 'WORD' ? ` w${count++}w ` : one)).join('')
      const text = toText(read(raw).document)
      expect([...text.matchAll(/w(\d+)w/g)].map(([, number]) => Number(number)).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: count }, (_, number) => number),
      )
    }),
    { numRuns: runs(2000) },
  )
})

describe('an upload', () => {
  test.each([
    ['a picture with its size', '![my cup|690x388, 50%](upload://9zZ.png)', [file('8fdb', 'my cup')]],
    ['a picture without a name', '![|690x388](upload://9zZ.png)', [file('8fdb', 'stored name')]],
    [
      'an attachment with its size',
      'see [tea.pdf|attachment](upload://9zZ.pdf) (1.2 MB) now',
      [said('see'), file('8fdb', 'tea.pdf'), said('now')],
    ],
    [
      'an attachment as old posts have it',
      '<a class="attachment" href="/uploads/default/2/0123456789abcdef.pdf">tea.pdf</a> (3 KB)',
      [file('uploads/default/2/0123456789abcdef.pdf', 'tea.pdf'), said('(3 KB)')],
    ],
    [
      'a picture as old posts have it',
      `<img src="/uploads/default/original/1X/${'b'.repeat(40)}.png" width="690" height="5">`,
      [file('b'.repeat(40), 'stored name')],
    ],
    ['a picture in a link', '[![cup](upload://9zZ.png)](https://example.org/)', [file('8fdb', 'cup')]],
    ['a video', '![pour|video](upload://9zZ.mp4)', [file('8fdb', 'pour')]],
  ])('is %s', (_, raw, content) => {
    expect(blocks(raw)).toEqual(content)
  })

  // discourse #42791
  test('in a table keeps its name, whose bars divide no cells', () => {
    const [table, picture] = blocks('| cup | price |\n|--|--:|\n| ![img|500x500](upload://9zZ.png) | 5 |')
    expect(table?.type === 'table' && table.content.map((row) => row.content.length)).toEqual([2, 2])
    expect(picture).toEqual(file('8fdb', 'img'))
  })

  test('on another site is a link', () => {
    const { document, notes } = read('![tea](https://example.com/tea.png)')
    expect(toMarkdown(document)).toBe('https://example.com/tea.png')
    expect(notes).toEqual(['picture elsewhere'])
  })
})

describe('a poll', () => {
  const poll = '[poll name=first type=regular]\n# Which?\n* Green\n* Black\n[/poll]'

  test('that comes as such leaves the text', () => {
    expect(shown(`Vote:\n\n${poll}\n\nThanks`, ['first'])).toBe('Vote:\n\nThanks')
    expect(shown('[poll]\n* a\n[/poll]', ['poll'])).toBe('')
  })

  test('that has no place stays in the text, and is noted', () => {
    const { document, notes } = read(poll, ['another'])
    expect(toMarkdown(document)).toBe('## Which?\n\n- Green\n- Black')
    expect(notes).toEqual(['poll that stays in its text'])
  })

  // discourse #26865
  test('within a quote or details is one too', () => {
    expect(shown(`[details="More"]\n${poll}\n[/details]`, ['first'])).toBe('**More**')
    expect(shown(`[quote="Ann"]\n${poll}\nx\n[/quote]`, ['first'])).toBe('> Ann:\n>\n> x')
  })
})

describe('what Discourse adds', () => {
  test.each([
    ['details', '[details="More & more"]\nhidden **words**\n[/details]\nafter', '**More & more**\n\nhidden **words**\n\nafter'],
    ['open details', '[details="More" open]\nwords\n[/details]', '**More**\n\nwords'],
    ['HTML details', '<details>\n<summary>More</summary>\n\nhidden **words**\n\n</details>', 'More\n\nhidden **words**'],
    ['keys and small letters', 'press <kbd>Ctrl</kbd>, H<sub>2</sub>O <b>bold</b>', 'press `Ctrl`, H2O **bold**'],
    [
      'tags within a line',
      '[b]bold[/b] [i]slant[/i] [s]gone[/s] [u]line[/u] [url=https://example.org/a]here[/url]',
      '**bold** *slant* ~~gone~~ line [here](https://example.org/a)',
    ],
    ['half of a tag', '[b]bold and a[/i] list[0]', '[b]bold and a[/i] list[0]'],
    ['a date', 'on [date=2024-05-01 time=10:00:00 timezone="Asia/Shanghai"]', 'on 2024-05-01 10:00:00 Asia/Shanghai'],
    ['a range of dates', '[date-range from=2024-05-01T10:00:00 to=2024-05-02 timezone="UTC"]', '2024-05-01 10:00:00 – 2024-05-02 UTC'],
    ['a wrap', '[wrap=x]\ninside\n[/wrap]', 'inside'],
    ['a table of contents', '[[toc]]\n\n## Tea\n\n[toc](https://example.org/)', '## Tea\n\n[toc](https://example.org/)'],
    ['a grid', '[grid]\none\n\ntwo\n[/grid]', 'one\n\ntwo'],
    ['a category and a tag', 'see #tea::green', 'see #tea::green'],
    ['emoji with tones of skin', 'tea :tea: :+1:t3: `:tea:` :nothing:', 'tea 🍵 👍🏼 `:tea:` :nothing:'],
    ['lines', 'one\ntwo\n\nthree', 'one\\\ntwo\n\nthree'],
    ['an address alone', 'https://example.org/a_b_c?x=1&y=2', 'https://example.org/a_b_c?x=1&y=2'],
    ['a link with a title', '[tea][1]\n\n[1]: https://example.org/ "t"', '[tea](https://example.org/)'],
    ['code of a language', '```ruby\nputs "<b>"\n```\n[code=js]\na < b\n[/code]', '```ruby\nputs "<b>"\n```\n\n```javascript\na < b\n```'],
    ['a comment of HTML', 'a <!-- hidden --> b', 'a b'],
    ['script', 'a<script>alert(1)</script> [x](javascript:alert(1))', 'a x'],
  ])('is read: %s', (_, raw, markdown) => {
    expect(shown(raw)).toBe(markdown)
  })

  test('a spoiler is open, and noted', () => {
    for (const raw of ['[spoiler]\nDarth\n[/spoiler]', '[spoiler]Darth[/spoiler]', 'a [spoiler]Darth[/spoiler]']) {
      expect(read(raw).notes, raw).toEqual(['spoiler'])
      expect(shown(raw), raw).toContain('Darth')
    }
  })

  test('a mention names a member, but not in code', () => {
    const mention = { type: 'mention', attrs: { id: 'import:member/2', label: 'Ann.Lee' } }
    expect(blocks('Hi @Ann.Lee.')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'Hi ' }, mention, { type: 'text', text: '.' }] },
    ])
    expect(JSON.stringify(blocks('`@Ann.Lee` <code>@Ann.Lee</code> a@Ann.Lee'))).not.toContain('mention')
  })

  test('a text cannot name a file or member of this site, or hide a part', () => {
    for (const raw of ['![x](file:abc#10x10)', '@[Ann](member:12)', ':::hidden points=5\nsecret\n:::', '<img src="import:file/1">'])
      expect(JSON.stringify(blocks(raw)), raw).not.toMatch(/"type":"(?:file|image|mention|hidden)"/)
  })

  test('many unfinished tags take no long time', () => {
    for (const sign of [
      '[quote]\n',
      '[quote="a"][quote]\n',
      '[b]',
      '[/b]',
      '[details=',
      '[quote]\n[/details]\n',
      '> [quote]\n',
      '[poll]\n- ',
    ])
      expect(blocks(sign.repeat(8_000)).length, sign).toBeGreaterThan(0)
    expect(blocks('[quote]\n'.repeat(4_000) + '[/quote]\n'.repeat(4_000)).length).toBeGreaterThan(0)
  })
})
