import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { documentFromPhpbb, type PhpbbOptions } from '#importer/server/body/phpbb-bbcode.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { decoded } from '#importer/server/body/references.ts'
import { isLinear } from '#base/testing/steps.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'

const uid = '1uw6ag'
const bodyOf = (text: string, options: Partial<PhpbbOptions> = {}) =>
  documentFromPhpbb(text.replaceAll(':U]', `:${uid}]`), { bbcodeUid: uid, ...options })
const blocks = (text: string): Block[] => bodyOf(text).document.content
const saying = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const linked = (text: string, href: string) => ({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })

describe('a body of phpBB 3.0', () => {
  test('XML and the older form are told by their first characters', () => {
    expect(bodyOf('<t>&amp;amp;</t>').document.content).toEqual([saying('&amp;')])
    expect(bodyOf('<r><B><s>[b]</s>x<e>[/b]</e></B></r>').document.content).toMatchObject([{ content: [{ marks: [{ type: 'bold' }] }] }])
    expect(bodyOf('<t/>').document.content).toEqual([{ type: 'paragraph' }])
    expect(blocks('&lt;t&gt;no XML&lt;/t&gt;')).toEqual([saying('<t>no XML</t>')])
  })

  test('tags have the id of the text, and other brackets were typed', () => {
    expect(blocks('[b:U]bold[/b:U] [b]typed[/b] [i:other]too[/i:other] a[0]')).toEqual([
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'bold', marks: [{ type: 'bold' }] },
          { type: 'text', text: ' [b]typed[/b] [i:other]too[/i:other] a[0]' },
        ],
      },
    ])
    expect(bodyOf('[b:]x[/b:]', { bbcodeUid: '' }).document.content).toEqual([saying('[b:]x[/b:]')])
  })

  test('references are decoded once, and line feeds are breaks', () => {
    expect(blocks('1 &lt; 2 &amp;amp; &quot;so&quot; &#128512; &#0; &nope;\nbye\n\nend')).toEqual([
      {
        type: 'paragraph',
        content: [{ type: 'text', text: '1 < 2 &amp; "so" 😀 &#0; &nope;' }, { type: 'hardBreak' }, { type: 'text', text: 'bye' }],
      },
      saying('end'),
    ])
  })

  test('a smiley between comments is its emoji, or its code', () => {
    const smiley = (code: string) =>
      `<!-- s${code} --><img src="{SMILIES_PATH}/icon.gif" alt="${code}" title="A &gt; b" /><!-- s${code} -->`
    expect(blocks(`a ${smiley(':)')} ${smiley('&gt;:(')} ${smiley(':house:')}`)).toEqual([saying('a 🙂 😠 :house:')])
    expect(blocks(`[ ${smiley(':)')} ]`)).toEqual([saying('[ 🙂 ]')])
  })

  test('links of bare addresses and of tags have their whole address', () => {
    const bare = '<!-- m --><a class="postlink" href="http://example.org/?a=1&amp;b=2">http://example.org/ ... b=2</a><!-- m -->'
    const mail = '<!-- e --><a href="mailto:me@example.org">me@example.org</a><!-- e -->'
    const tag = '[url=http&#58;//example&#46;org/&#91;x&#93;:U]x[/url:U] [url:U]http&#58;//example&#46;org[/url:U]'
    const blank = { type: 'text', text: ' ' }
    expect(blocks(`${bare} ${mail} ${tag}`)).toEqual([
      {
        type: 'paragraph',
        content: [
          linked('http://example.org/ ... b=2', 'http://example.org/?a=1&b=2'),
          blank,
          linked('me@example.org', 'mailto:me@example.org'),
          blank,
          linked('x', 'http://example.org/[x]'),
          blank,
          linked('http://example.org', 'http://example.org'),
        ],
      },
    ])
  })

  test('a picture is a link, and an attachment is the one of its number', () => {
    const text = '[img:U]http&#58;//example&#46;org/p&#46;png[/img:U] [attachment=1:U]<!-- ia1 -->lie.png<!-- ia1 -->[/attachment:U]'
    const attachments = ['2', '1'].map((id) => ({ id, name: `${id}.png` }))
    const body = bodyOf(text, { attachments })
    expect(body.document.content).toEqual([
      { type: 'paragraph', content: [linked('http://example.org/p.png', 'http://example.org/p.png')] },
      { type: 'file', attrs: { file: 'import:file/1', name: '1.png', bytes: 1 } },
    ])
    expect(body).toMatchObject({ notes: ['picture elsewhere'], shownFileIds: ['1'] })
  })

  test('a quote names its author', () => {
    const text = '[quote=&quot;O&#39;Neil &amp; &#91;x&#93;&quot;:U]Hi [quote:U]deeper[/quote:U][/quote:U]\nanswer'
    expect(blocks(text)).toEqual([
      {
        type: 'blockquote',
        content: [saying("O'Neil & [x]:"), saying('Hi'), { type: 'blockquote', content: [saying('deeper')] }],
      },
      saying('answer'),
    ])
  })

  test('items of lists end with or without their own end', () => {
    const item = (text: string) => ({ type: 'listItem', content: [saying(text)] })
    expect(blocks('[list=1:U][*:U]one[/*:m:U][*:U]two[/*:m:U][/list:o:U][list:U]\n[*:U]a\n[*:U]b[/list:u:U]')).toEqual([
      { type: 'orderedList', attrs: { start: 1 }, content: [item('one'), item('two')] },
      { type: 'bulletList', content: [item('a'), item('b')] },
    ])
  })

  test('code keeps its lines, and loses the colours of PHP', () => {
    const php = '<span class="syntaxdefault">echo&nbsp;</span>&quot;a&#91;0&#93;&quot;;<br />&nbsp;&nbsp;b'
    expect(blocks(`[code:U]a  b\n\tc &amp;&amp; d&#91;0&#93;[/code:U][code=php:U]${php}[/code:U]`)).toEqual([
      { type: 'codeBlock', attrs: { language: 'markup' }, content: [{ type: 'text', text: 'a  b\n\tc && d[0]' }] },
      { type: 'codeBlock', attrs: { language: 'php' }, content: [{ type: 'text', text: 'echo "a[0]";\n  b' }] },
    ])
  })

  test('a tag that has no end, no beginning, or overlaps another loses no text', () => {
    expect(blocks('x[/b:U] [b:U][i:U]y[/b:U]z[/i:U] [foo=1:U]w')).toMatchObject([
      { content: [{ text: 'x ' }, { text: 'y', marks: [{ type: 'bold' }, { type: 'italic' }] }, { text: 'z w' }] },
    ])
  })

  test('a body that was cut off within HTML says so', () => {
    expect(bodyOf('a [b:U]b <!-- s:) --><img src="{SMIL')).toMatchObject({ notes: ['cut off'] })
    expect(bodyOf('a &lt; b')).toMatchObject({ notes: [] })
  })
})

describe('any text of phpBB 3.0', () => {
  test('every word stands exactly once, however tags and words follow each other', () => {
    const names = [
      'b',
      'quote',
      'quote=&quot;&quot;',
      'list',
      'list=1',
      '*',
      'url=http&#58;//a&#46;org',
      'code',
      'color=red',
      'attachment=0',
      'x',
    ]
    const ends = ['/b', '/quote', '/list:u', '/list:o', '/*:m', '/url', '/code', '/color', '/attachment', '/x']
    const tag = fc.constantFrom(...names, ...ends).map((name) => `[${name}:U]`)
    const other = fc.constantFrom('\n', '<!-- s:) -->', '<!-- ia0 -->', '<br />', '<span class="x">', '[', ']')
    const token = fc.oneof(tag, tag, other, fc.constantFrom('tea', '茶', '&lt;', '&amp;amp;'))
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const numbered = tokens.map((token, at) => (/^[[<\n\]]/.test(token) ? token : ` ${token}${at} `))
        const typed = numbered.filter((token) => token.startsWith(' ')).map((token) => decoded(token.trim()))
        const shown = toText(bodyOf(numbered.join('')).document).split(/\s+/)
        expect(shown.filter((word) => /\d/.test(word)).sort()).toEqual(typed.sort())
      }),
      { numRuns: runs(2000) },
    )
  })

  test.each(['[b:u]', '[/b:u]', '[', '<', '<!--', '[quote:u]', '[list:u][*:u]', '[b:u]a[i:u]b', '&#12', '\n', '<a href="'])(
    'its cost grows no faster than its length, with %j',
    async (piece) => {
      expect(await isLinear((length) => () => documentFromPhpbb(repeated(piece, length), { bbcodeUid: 'u' }))).toBe(true)
    },
  )
})
