import { describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { markdownBody } from '#importer/server/body/markdown.ts'

const people: Record<string, string> = {
  ann: 'member/2',
  'ann-lee': 'name/Ann Lee',
  _milad_: 'member/3',
  'שלום.': 'member/4',
  user: 'member/5',
}

function read(text: string) {
  return markdownBody(text, {
    mentioned: (name) => people[name.toLowerCase()] ?? null,
    fileAt: (address, label) => (address.startsWith('/up/') ? { id: address.slice(4), name: label || address.slice(4) } : null),
  })
}

const blocks = (text: string) => read(text).document.content
const inlines = (text: string) => {
  const [first] = blocks(text)
  return first?.type === 'paragraph' ? (first.content ?? []) : []
}
const file = (id: string, name: string) => ({ type: 'file', attrs: { file: `import:file/${id}`, name, bytes: 1 } })
const mention = (id: string, label: string) => ({ type: 'mention', attrs: { id: `import:${id}`, label } })
const text = (written: string) => ({ type: 'text', text: written })

describe('files', () => {
  test('a picture of the old site is a file with its name', () => {
    expect(blocks('See ![my cup](/up/files/1-cup.png) here')).toEqual([
      { type: 'paragraph', content: [text('See')] },
      file('files/1-cup.png', 'my cup'),
      { type: 'paragraph', content: [text('here')] },
    ])
  })

  test('a link to a file of the old site is the file, also in a list, a heading, a quote and a table', () => {
    expect(blocks('a [**my** tea](/up/tea.pdf) b')[1]).toEqual(file('tea.pdf', 'my tea'))
    expect(blocks('[](/up/tea.pdf)')).toEqual([file('tea.pdf', 'tea.pdf')])
    expect(blocks('- [x](/up/a.pdf)')).toEqual([{ type: 'bulletList', content: [{ type: 'listItem', content: [file('a.pdf', 'x')] }] }])
    expect(blocks('# [x](/up/a.pdf) y')[1]).toEqual(file('a.pdf', 'x'))
    expect(blocks('> [x](/up/a.pdf)')).toEqual([{ type: 'blockquote', content: [file('a.pdf', 'x')] }])
    expect(blocks('| a | b |\n| - | - |\n| [x](/up/a.pdf) | ![y](/up/b.png) |').slice(1)).toEqual([file('a.pdf', 'x'), file('b.png', 'y')])
  })

  test('a picture from elsewhere is a link that shows its address, and is noted', () => {
    const { document, notes } = read('![tea](https://example.com/tea.png)')
    expect(toMarkdown(document)).toBe('https://example.com/tea.png')
    expect(notes).toEqual(['picture elsewhere'])
  })

  test('addresses of files and members of this site are text in a text of another', () => {
    for (const own of ['![x](file:abc#10x10)', '![x](file:abc#1234)', '@[Ann](member:12)'])
      expect(blocks(own), own).toEqual([{ type: 'paragraph', content: [text(own)] }])
  })
})

describe('mentions', () => {
  test('a mention names a member', () => {
    expect(inlines('Hi @Ann-Lee, tea?')).toEqual([text('Hi '), mention('name/Ann Lee', 'Ann-Lee'), text(', tea?')])
    expect(inlines('@nobody and @ann')).toEqual([text('@nobody and '), mention('member/2', 'ann')])
  })

  // nodebb-plugin-mentions #378, NodeBB #956
  test('a full stop behind a mention ends the sentence, or belongs to the name', () => {
    expect(inlines('thanks @user.')).toEqual([text('thanks '), mention('member/5', 'user'), text('.')])
    expect(inlines('hello @שלום. there')).toEqual([text('hello '), mention('member/4', 'שלום.'), text(' there')])
  })

  // NodeBB #6129, #8194
  test('underscores around a name are no emphasis', () => {
    expect(inlines('ask @_MILAD_ now')).toEqual([text('ask '), mention('member/3', '_MILAD_'), text(' now')])
  })

  // nodebb-plugin-mentions #48
  test('an e-mail address, an account of another site, a link and code mention no member', () => {
    for (const plain of ['a@ann', '@ann@example.com', '`@ann`', 'https://example.com/@ann', '[@ann](https://example.com)'])
      expect(JSON.stringify(blocks(plain)), plain).not.toContain('mention')
  })
})

describe('what other programs add', () => {
  test('names of emoji are emoji, with tones of skin, but not in code', () => {
    expect(inlines('a :smile: :+1:t3: :nothing: 10:30:20')).toEqual([text('a 😄 👍🏼 :nothing: 10:30:20')])
    expect(JSON.stringify(blocks('`:smile:`'))).toContain(':smile:')
  })

  test('a quote keeps its words and the link to its post', () => {
    expect(blocks('@ann said in [Tea](/post/5):\n> green\n\nyes')).toEqual([
      {
        type: 'paragraph',
        content: [
          mention('member/2', 'ann'),
          text(' said in '),
          { ...text('Tea'), marks: [{ type: 'link', attrs: { href: '/post/5' } }] },
          text(':'),
        ],
      },
      { type: 'blockquote', content: [{ type: 'paragraph', content: [text('green')] }] },
      { type: 'paragraph', content: [text('yes')] },
    ])
  })

  test('a spoiler is an open quote, and is noted', () => {
    const { document, notes } = read('>! Darth\n>! is **it**')
    expect(toMarkdown(document)).toBe('> Darth\\\n> is **it**')
    expect(notes).toEqual(['spoiler'])
  })

  test('lines that hide a part on this site are text', () => {
    expect(JSON.stringify(blocks(':::hidden points=5\nsecret\n:::'))).not.toContain('"hidden"')
  })

  // nodebb-plugin-import #112
  test('HTML is text', () => {
    expect(inlines('<p>Hello <b>x</b></p>')).toEqual([text('<p>Hello <b>x</b></p>')])
  })

  test('strikethrough and tables stay', () => {
    expect(toMarkdown(read('~~old~~\n\n| a | b |\n| - | -: |\n| 1 | 2 |').document)).toBe('~~old~~\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |')
  })

  test('a text longer than a post here is read whole, without NUL and halves of characters', () => {
    const long = `a\0\ud800b ${'tea '.repeat(60_000)}end`
    expect(JSON.stringify(blocks(long))).toMatch(/a\ufffdb tea .*tea end/)
  })
})
