import { describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { isLinear } from '#base/testing/steps.ts'
import { piecesFromHtml, type HtmlOptions } from '#importer/server/body/html.ts'
import { documentOf } from '#importer/server/body/pieces.ts'

function read(html: string, options: HtmlOptions = {}): { markdown: string; notes: string[] } {
  const { pieces, notes } = piecesFromHtml(html, options)
  return { markdown: toMarkdown(documentOf(pieces)), notes }
}

const markdown = (html: string) => read(html).markdown

describe('HTML becomes our document', () => {
  test.each([
    ['paragraphs and lines', '<p>a<br>b</p><div>c</div>d', 'a\\\nb\n\nc\n\nd'],
    [
      'marks',
      '<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <s>e</s> <del>f</del> <code>g</code>',
      '**a** **b** *c* *d* ~~e~~ ~~f~~ `g`',
    ],
    ['a link', '<a href="https://a.org/?x=1&amp;y=2">a</a>', '[a](https://a.org/?x=1\\&y=2)'],
    ['a link within the site', '<a href="viewthread.php?tid=3#pid4">a</a>', '[a](viewthread.php?tid=3#pid4)'],
    ['lists', '<ul><li>a<li>b<ol start="3"><li>c</ol></ul>', '- a\n\n- b\n\n  3. c'],
    ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
    ['a table', '<table><tr><th>a<th>b<tr><td>c<td>d</table>', '| a | b |\n| --- | --- |\n| c | d |'],
    ['headings and a rule', '<h1>a</h1><hr><h3>b</h3><h6>c</h6>', '## a\n\n---\n\n### b\n\n#### c'],
    ['code', '<pre><code class="lang-js">a &lt;\n  b</code></pre>', '```javascript\na <\n  b\n```'],
    ['unknown tags', '<my-tag>a</my-tag> <span>b</span>', 'a b'],
    ['blanks', '<p>\n  a\n  b  </p>\n\n<p> c</p>', 'a b\n\nc'],
    ['tags that were never closed', '<b>a <ul><li>b', '**a**\n\n- **b**'],
    ['tags in each other', '<b>a <i>b</b> c</i> d', '[a ]{bold}[b]{bold italic}[ c]{italic} d'],
    ['signs that begin no tag', 'a < b && c > d', 'a < b && c > d'],
  ])('%s', (_, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  test('entities are decoded once', () => {
    expect(read('&lt;b&gt; &amp;lt; &#128512; &eacute;').markdown).toBe(String.raw`\<b> \&lt; 😀 é`)
  })

  test('scripts, styles and frames give no text, and the address of a frame remains', () => {
    const { markdown, notes } = read('a<script>b</script><style>c</style><iframe src="https://v.org/1">d</iframe><noscript>e</noscript>')
    expect(markdown).toBe('a<https://v.org/1>')
    expect(notes).toEqual(['script', 'style', 'iframe', 'noscript'])
  })

  test('an unsafe address leads nowhere', () => {
    expect(markdown('<a href="javascript:alert(1)">a</a> <a href=" java&#10;script:alert(1)">b</a> <a href="data:text/html,x">c</a>')).toBe(
      'a b c',
    )
  })

  test('a picture of another site is a link whose text is its address', () => {
    const { pieces, notes } = piecesFromHtml('<img src="https://a.org/p.png">')
    expect(pieces).toEqual([
      { type: 'text', text: 'https://a.org/p.png', marks: [{ type: 'link', attrs: { href: 'https://a.org/p.png' } }] },
    ])
    expect(notes).toEqual(['picture elsewhere'])
    expect(read('a<img src="data:image/png;base64,AAAA">b')).toEqual({ markdown: 'ab', notes: ['picture in the text'] })
  })

  test('a picture that was moved stands where it was', () => {
    const file = { type: 'file', attrs: { file: 'import:file/1', name: '', bytes: 1 } } as const
    const { pieces } = piecesFromHtml('a<img src="/1.png" class="x">b', { picture: (of) => (of.get('class') === 'x' ? [file] : null) })
    expect(pieces).toEqual([{ type: 'text', text: 'a' }, file, { type: 'text', text: 'b' }])
    const cell = piecesFromHtml('<table><tr><td>a<img src="/1.png"></table>', { picture: () => [file] })
    expect(cell.pieces.map(({ type }) => type)).toEqual(['table', 'file'])
  })

  test('unknown tags are noted', () => {
    expect(read('<foo>a</foo><u>b</u><o:p>c</o:p>').notes).toEqual(['unknown: foo', 'u', 'unknown: o:p'])
  })

  test('a long table is several, within the limits of ours', () => {
    const document = documentOf(piecesFromHtml(`<table>${'<tr><td>a</td></tr>'.repeat(450)}</table>`).pieces)
    expect(document.content.map((block) => (block.type === 'table' ? block.content.length : block.type))).toEqual([200, 200, 50])
  })
})

describe('the cost of HTML grows no faster than its length', () => {
  const broken = [
    '<b>',
    '</b>',
    '<b></i>',
    '<ul>',
    '<ul><li>',
    '<table><tr><td>',
    '<td>',
    '<p>',
    '</p>',
    '<a href="',
    '<a href=x>',
    '<!--',
    '&amp;',
  ]
  const others = ['<', '<pre>', '<script>', '<svg>', '<blockquote>a', '<h1>', '<i><b></i>', '<img src=a>', 'a <br>', '<x y', ' \n']

  test.each([...broken, ...others])('%j', async (piece) => {
    expect(await isLinear((length) => () => documentOf(piecesFromHtml(repeated(piece, length)).pieces))).toBe(true)
  })

  test('five million characters are read to the last', () => {
    const text = '<p>tea <b>and <i>milk</b><li>'
    const document = documentOf(piecesFromHtml(`${text.repeat(180_000)}last`).pieces)
    expect(JSON.stringify(document).includes('"last"')).toBe(true)
  })
})
