import { describe, expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import type { BodyOptions } from '#importer/server/body/conversion.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'

const blocks = (xml: string, options?: BodyOptions): Block[] => documentFromS9e(xml, options).document.content
const saying = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const link = (href: string) => ({ type: 'link', attrs: { href } })
const linked = (text: string, href: string) => ({ type: 'text', text, marks: [link(href)] })
const files = [
  { id: '2', name: 'second.png' },
  { id: '1', name: 'first.png' },
]
const file = (id: string, name: string) => ({ type: 'file', attrs: { file: `import:file/${id}`, name, bytes: 1 } })

describe('text of phpBB', () => {
  test('a break with its line feed is one break', () => {
    expect(blocks('<t>1 &lt; 2 &amp; "so"<br/>\nbye</t>')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: '1 < 2 & "so"' }, { type: 'hardBreak' }, { type: 'text', text: 'bye' }] },
    ])
  })

  test('empty lines end a paragraph, and a tab and two blanks stay', () => {
    expect(blocks('<t>two  spaces<br/>\n<br/>\n<br/>\nthree\ttab</t>')).toEqual([saying('two  spaces'), saying('three\ttab')])
  })

  test('a reference is decoded once', () => {
    expect(blocks('<t>&amp; &amp;amp; &amp;lt;b&amp;gt; &amp;#128512; &#128512;</t>')).toEqual([saying('& &amp; &lt;b&gt; &#128512; 😀')])
  })

  test('the typed marks of bold are gone, and a smiley is an emoji', () => {
    expect(blocks('<r>Hello <B><s>[b]</s>world<e>[/b]</e></B> <E>:)</E> <E>:mrgreen:</E> <E>:house:</E></r>')).toEqual([
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Hello ' },
          { type: 'text', text: 'world', marks: [{ type: 'bold' }] },
          { type: 'text', text: ' 🙂 😁 :house:' },
        ],
      },
    ])
  })

  test('bold without an end reaches to the end', () => {
    expect(blocks('<r><B><s>[b]</s>never closed</B></r>')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'never closed', marks: [{ type: 'bold' }] }] },
    ])
  })

  test('an emoji of several characters is whole, also one that was typed by its alias', () => {
    const family = '<EMOJI seq="1f468-1f469" tseq="1f468-200d-1f469">&#128104;\u200d&#128105;</EMOJI>'
    expect(blocks(`<r>Tea ${family} <EMOJI seq="1f44d-1f3fd">:thumb:</EMOJI> <EMOJI seq="xyz">:odd:</EMOJI></r>`)).toEqual([
      saying('Tea 👨\u200d👩 👍🏽 :odd:'),
    ])
  })

  test('a text without tags around it stands', () => {
    expect(blocks('')).toEqual([{ type: 'paragraph' }])
    expect(blocks('<t/>')).toEqual([{ type: 'paragraph' }])
    expect(documentFromS9e('no tags')).toEqual({ document: { type: 'doc', content: [saying('no tags')] }, notes: [], shownFileIds: [] })
  })

  test('what has no place stands as text with a note', () => {
    const xml =
      '<r><COLOR color="#F00"><s>[c]</s>red<e>[/c]</e></COLOR> <U><s>[u]</s>low<e>[/u]</e></U> <FOO x="1"><s>[foo]</s>bar</FOO></r>'
    expect(documentFromS9e(xml)).toEqual({
      document: { type: 'doc', content: [saying('red low bar')] },
      notes: ['color', 'underline', 'unknown: FOO'],
      shownFileIds: [],
    })
  })

  test('the names of JavaScript objects are names of unknown elements', () => {
    expect(documentFromS9e('<r><constructor>a</constructor><__proto__>b</__proto__></r>').document.content).toEqual([saying('ab')])
  })

  test('centred text stands on lines of its own', () => {
    expect(blocks('<r>a<CENTER><s>[center]</s>b<e>[/center]</e></CENTER>c</r>')).toEqual([saying('a'), saying('b'), saying('c')])
  })
})

describe('links of phpBB', () => {
  test('a link has the address of its attribute and the text that was shown', () => {
    const short =
      '<URL url="http://example.org/viewtopic.php?f=2&amp;t=1"><LINK_TEXT text="viewtopic.php?t=1">http://example.org/…</LINK_TEXT></URL>'
    expect(
      blocks(`<r><URL url="http://www.example.org">www.example.org</URL>, <EMAIL email="me@example.org">me</EMAIL>, ${short}</r>`),
    ).toEqual([
      {
        type: 'paragraph',
        content: [
          linked('www.example.org', 'http://www.example.org'),
          { type: 'text', text: ', ' },
          linked('me', 'mailto:me@example.org'),
          { type: 'text', text: ', ' },
          linked('viewtopic.php?t=1', 'http://example.org/viewtopic.php?f=2&t=1'),
        ],
      },
    ])
  })

  test('the wrongly closed link keeps the rest of its mark, as the page shows it', () => {
    expect(blocks('<r><URL url="https://example.org/?x=%5B1"><s>[url=https://example.org/?x=[1]</s>]u<e>[/url]</e></URL></r>')).toEqual([
      { type: 'paragraph', content: [linked(']u', 'https://example.org/?x=%5B1')] },
    ])
  })

  const picture = '<IMG src="https://a.org/p.png"><s>[img]</s><URL url="https://a.org/p.png">https://a.org/p.png</URL><e>[/img]</e></IMG>'

  test('a picture of another site is a link', () => {
    const { document, notes } = documentFromS9e(`<r>${picture}</r>`)
    expect(document.content).toEqual([{ type: 'paragraph', content: [linked('https://a.org/p.png', 'https://a.org/p.png')] }])
    expect(notes).toEqual(['picture elsewhere'])
  })

  test('a link around a picture, or around nothing, shows its address', () => {
    expect(blocks(`<r><URL url="https://b.org/"><s>[url]</s>${picture}</URL></r>`)).toEqual([
      {
        type: 'paragraph',
        content: [
          linked('https://a.org/p.png', 'https://a.org/p.png'),
          { type: 'text', text: ' ' },
          linked('https://b.org/', 'https://b.org/'),
        ],
      },
    ])
    expect(blocks('<r>a <URL url="https://b.org/"><s>[url=https://b.org/]</s><e>[/url]</e></URL></r>')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'a ' }, linked('https://b.org/', 'https://b.org/')] },
    ])
  })

  test('the address of a video stays a link', () => {
    const { document, notes } = documentFromS9e('<r><YOUTUBE id="x">https://youtu.be/x</YOUTUBE></r>')
    expect(document.content).toEqual([{ type: 'paragraph', content: [linked('https://youtu.be/x', 'https://youtu.be/x')] }])
    expect(notes).toEqual(['unknown: YOUTUBE'])
  })
})

describe('blocks of phpBB', () => {
  test('a quote names its author with a link to the post', () => {
    const mark = '<s>[quote=Ann post_id=5 time=1700000000 user_id=2]</s>'
    const xml = `<r><QUOTE author="Ann" post_id="5" time="1700000000" user_id="2">${mark}Hi<e>[/quote]</e></QUOTE> answer</r>`
    expect(blocks(xml)).toEqual([
      {
        type: 'blockquote',
        content: [{ type: 'paragraph', content: [linked('Ann', './viewtopic.php?p=5#p5'), { type: 'text', text: ':' }] }, saying('Hi')],
      },
      saying('answer'),
    ])
  })

  test('a quote within a quote stays within', () => {
    const inner = '<QUOTE><s>[quote]</s>deeper<e>[/quote]</e></QUOTE>'
    expect(blocks(`<r><QUOTE author="Ann Lee"><s>[quote="Ann Lee"]</s>Hi ${inner}<e>[/quote]</e></QUOTE>\nanswer</r>`)).toEqual([
      { type: 'blockquote', content: [saying('Ann Lee:'), saying('Hi'), { type: 'blockquote', content: [saying('deeper')] }] },
      saying('answer'),
    ])
  })

  test('code keeps its blanks, tabs, lines and brackets', () => {
    const code = 'a  b\n\tif (x[0] &lt; 1 &amp;&amp; y[i]) { }\n[b]no[/b]'
    expect(blocks(`<r><CODE lang="php"><s>[code=php]</s><i>\n</i>${code}<e>[/code]</e></CODE> after</r>`)).toEqual([
      {
        type: 'codeBlock',
        attrs: { language: 'php' },
        content: [{ type: 'text', text: 'a  b\n\tif (x[0] < 1 && y[i]) { }\n[b]no[/b]' }],
      },
      saying('after'),
    ])
  })

  test('lists keep their kinds, and text that stands before an item', () => {
    const inner = '<LIST start="3" type="decimal"><s>[list=1]</s><LI><s>[*]</s>inner</LI><e>[/list]</e></LIST>'
    const xml = `<r><LIST><s>[list]</s>stray<LI><s>[*]</s>one</LI>\n<LI><s>[*]</s>two\n${inner}</LI><e>[/list]</e></LIST></r>`
    const innerList: Block = { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [saying('inner')] }] }
    expect(blocks(xml)).toEqual([
      saying('stray'),
      {
        type: 'bulletList',
        content: [
          { type: 'listItem', content: [saying('one')] },
          { type: 'listItem', content: [saying('two'), innerList] },
        ],
      },
    ])
  })

  test('the attachments are counted from the newest, whatever name was typed', () => {
    const tag = (index: number, typed: string) =>
      `<ATTACHMENT filename="${typed}" index="${index}"><s>[attachment=${index}]</s>${typed}<e>[/attachment]</e></ATTACHMENT>`
    const body = documentFromS9e(`<r>A ${tag(0, 'lie')} B ${tag(7, 'gone.png')}</r>`, { attachments: files })
    expect(body.document.content).toEqual([saying('A'), file('2', 'second.png'), saying('B gone.png')])
    expect(body.shownFileIds).toEqual(['2'])
    expect(body.notes).toEqual(['missing attachment'])
  })

  test('a table has cells of one paragraph, and its attachments follow', () => {
    const tag = '<ATTACHMENT index="1"><s>[attachment=1]</s>x<e>[/attachment]</e></ATTACHMENT>'
    const row = `<TR><s>[tr]</s><TD align="right">one<br/>\ntwo</TD> <TD>${tag}</TD></TR>`
    const cell = (...content: Block[]) => ({ type: 'tableHeader', attrs: { align: null }, content })
    const right = { type: 'tableHeader', attrs: { align: 'right' } }
    const lines = [{ type: 'text', text: 'one' }, { type: 'hardBreak' }, { type: 'text', text: 'two' }]
    expect(blocks(`<r><TABLE><s>[table]</s>${row}</TABLE></r>`, { attachments: files })).toEqual([
      {
        type: 'table',
        content: [
          { type: 'tableRow', content: [{ ...right, content: [{ type: 'paragraph', content: lines }] }, cell({ type: 'paragraph' })] },
        ],
      },
      file('1', 'first.png'),
    ])
  })

  test('a hidden part stays hidden, also behind a block that it stood in; where none can be, it is text with a note', () => {
    const part = '<HIDE><s>[hide]</s>secret<e>[/hide]</e></HIDE>'
    const hidden = { type: 'hidden', attrs: { lock: 'comment', value: '' }, content: [saying('secret')] }
    expect(documentFromS9e(`<r>${part}</r>`, { hides: true }).document.content).toEqual([hidden])
    expect(documentFromS9e(`<r>${part}</r>`)).toMatchObject({ document: { content: [saying('secret')] }, notes: ['hide'] })
    const quoted = documentFromS9e(`<r><QUOTE>open ${part}</QUOTE></r>`, { hides: true }).document.content
    expect(quoted).toEqual([{ type: 'blockquote', content: [saying('open')] }, hidden])
    const inCell = documentFromS9e(`<r><TABLE><TR><TD>${part}</TD></TR></TABLE></r>`, { hides: true }).document.content
    expect(inCell.filter(({ type }) => type !== 'table')).toEqual([hidden])
  })
})

describe('XML that was cut off', () => {
  test.each([
    ['within text', '<r>a <B><s>[b]</s>bol', ['a ', 'bol']],
    ['within a tag', '<r>a <B>bold</B> <QUOTE auth', ['a ', 'bold']],
    ['within a reference', '<r>a <B>bold &am', ['a ', 'bold']],
    ['within a mark', '<r>a <B><s>[b', ['a ', '[b']],
    ['within the tag of an end', '<r>a <B>bold</', ['a ', 'bold']],
  ])('a body that ends %s shows all that was read', (_, xml, texts) => {
    const { document, notes } = documentFromS9e(xml)
    expect(document.content).toMatchObject([{ type: 'paragraph', content: texts.map((text) => ({ type: 'text', text })) }])
    expect(notes).toEqual(['cut off'])
  })

  test('the rest of broken XML is its text, line by line', () => {
    const { document, notes } = documentFromS9e('<r>one &lt;x 1 < 2 <B>two</B> &amp;amp;<br/>\nthree</r>')
    expect(document.content).toEqual([
      {
        type: 'paragraph',
        content: [{ type: 'text', text: 'one <x 1 < 2 two &amp;' }, { type: 'hardBreak' }, { type: 'text', text: 'three' }],
      },
    ])
    expect(notes).toEqual(['cut off'])
  })

  test('the place of a fault is known behind long text with characters of two units', () => {
    for (const shift of ['', 'x', '\r\n']) {
      const long = `${shift}${'😀\r\n'.repeat(60_000)}`
      const [paragraph] = documentFromS9e(`<r>${long}<B>one</B> two < three</r>`).document.content
      const texts = paragraph?.type === 'paragraph' ? paragraph.content?.slice(1) : []
      expect(texts).toMatchObject([{ text: 'one' }, { text: ' two < three' }])
    }
  })

  test('a control character does not end the reading', () => {
    expect(documentFromS9e('<r>a\u0001 <B>b\ufffe</B></r>')).toMatchObject({ notes: [] })
  })
})
