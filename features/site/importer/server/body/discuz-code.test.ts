import { describe, expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { documentFromDiscuz, type DiscuzBody, type DiscuzOptions } from '#importer/server/body/discuz-code.ts'

const publishedAt = new Date('2026-11-01T00:00:00Z')
const standard: DiscuzOptions = { hides: true, withheld: 'Hidden text was not moved.', publishedAt, now: publishedAt }

function read(message: string, options: Partial<DiscuzOptions> = {}): DiscuzBody {
  return documentFromDiscuz(message, { ...standard, ...options })
}

function blocks(message: string, options: Partial<DiscuzOptions> = {}): Block[] {
  return read(message, options).document.content
}

function markdown(message: string, options: Partial<DiscuzOptions> = {}): string {
  return toMarkdown(read(message, options).document)
}

const link = (text: string, href = text) => ({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
const file = (id: string) => ({ type: 'file', attrs: { file: `import:file/${id}`, name: 'file', bytes: 1 } })

describe('the tags of Discuz!', () => {
  test.each([
    ['marks', '[b]a[/b] [I]b[/I] [s]c[/s] [u]d[/u]', '**a** *b* ~~c~~ d'],
    ['lines and paragraphs', 'a\r\nb\n\nc', 'a\\\nb\n\nc'],
    ['a list', '[list]\n[*]a\n[*]b\n[/list]c', '- a\n- b\n\nc'],
    ['a numbered list', '[list=1][*]a[list=a][*]b[/list][*]c[/list]', '1. a\n\n   1. b\n\n2. c'],
    ['a quote', 'a[quote]b\n\nc[/quote]d', 'a\n\n> b\n>\n> c\n\nd'],
    ['quotes in quotes', '[quote]a[quote]b[/quote]c[/quote]d', '> a\n>\n> > b\n>\n> c\n\nd'],
    ['a rule', 'a[hr]b', 'a\n\n---\n\nb'],
    [
      'a table',
      '[table=98%,#fff]\n[tr=red][td=2,1,50%]a[/td][td]b[/td][/tr]\n[tr][td]c[/td]\n[td]d[/td][/tr]\n[/table]',
      '| a | b |\n| --- | --- |\n| c | d |',
    ],
    ['a table of lines', '[table]\na|[b]b[/b]\n\nc|d\\|e\n[/table]', '| a | **b** |\n| --- | --- |\n| c | d\\|e |'],
    ['looks', '[size=5][color=Red][font=Arial]a[/font][/color][/size][backcolor=rgb(1, 2, 3)]b[/backcolor][float=left]c[/float]', 'abc'],
    ['aligned lines', 'a[align=center]b[/align]c[p=30, 2, left]d[/p][indent]e[/indent]f', 'a\n\nb\n\nc\n\nd\n\ne\n\nf'],
    ['free text without a price', 'a[free]b[/free]c', 'a\n\nb\n\nc'],
    ['marks in each other', '[b]a [quote]b[/b] c[/quote] d', '**a**\n\n> **b** c\n\nd'],
    ['signs of HTML', '<i>a</i> &amp; &lt;', String.raw`\<i>a\</i> \&amp; \&lt;`],
  ])('%s', (_, message, expected) => {
    expect(markdown(message)).toBe(expected)
  })

  test('a tag that Discuz! opens and closes apart works to the end of the text, and an end alone is nothing', () => {
    expect(markdown('a[/b] [b]never closed')).toBe('a **never closed**')
  })

  test.each([
    '[quote]a',
    'a[/quote]',
    '[url=https://a.org]a',
    '[table]a',
    '[code]a',
    '[hide]a',
    '[img]a',
    '[td]a[/td]',
    '[color=]a',
    '[free]a',
  ])('%s, which Discuz! shows as written, is text', (message) => {
    expect(toText(read(message, { parseurloff: 1 }).document)).toBe(message)
  })

  test('unknown tags are text, and noted once', () => {
    const { document, notes } = read('[qq]1[/qq] [qq]2[/qq] [sup=3]x[/sup] [note]')
    expect(toText(document)).toBe('[qq]1[/qq] [qq]2[/qq] [sup=3]x[/sup] [note]')
    expect(notes).toEqual(['unknown: qq', 'unknown: sup'])
  })

  test('lost looks are noted', () => {
    expect(read('[color=red]a[/color][size=2][u]b[/u][/size][postbg]1.png[/postbg]').notes).toEqual(['color', 'size', 'u', 'postbg'])
    expect(toText(read('a[postbg]1.png[/postbg]b').document)).toBe('ab')
  })

  test('code is kept exactly', () => {
    const code = '\n\tif (a[0] < b && c) {}  \n[b]x[/b] [hide]y[/hide] :) &#128512;'
    const content = [{ type: 'text', text: code }]
    expect(blocks(`a[CODE]${code}[/CODE]`)[1]).toEqual({ type: 'codeBlock', attrs: { language: 'markup' }, content })
  })

  test('a split list goes on with its number', () => {
    const numbers = blocks('[list=1][*]a[*]b[hide]c[/hide]d[*]e[/list]').map((block) =>
      block.type === 'orderedList' ? block.attrs.start : block.type,
    )
    expect(numbers).toEqual([1, 'hidden', 2])
  })
})

describe('links, pictures and files', () => {
  test('links have their address as it was written', () => {
    expect(blocks('[url=forum.php?mod=viewthread&tid=3]a[/url]')).toEqual([
      { type: 'paragraph', content: [link('a', 'forum.php?mod=viewthread&tid=3')] },
    ])
    expect(markdown('[url]https://a.org/x[/url] [url=www.a.org]b[/url] [url]www.a.org[/url]')).toBe(
      'https://a.org/x [b](http://www.a.org) [www.a.org](http://www.a.org)',
    )
    expect(markdown('[email]a@a.org[/email] [email=b@a.org]c[/email]')).toBe('[a@a.org](mailto:a@a.org) [c](mailto:b@a.org)')
    expect(blocks('[groupid=3]Tea[/groupid]')).toEqual([{ type: 'paragraph', content: [link('Tea', 'forum.php?mod=forumdisplay&fid=3')] }])
  })

  test.each(['javascript:alert(1)', 'data:text/html,a', 'thunder://a', ' vbscript:a', 'java\tscript:a'])('%s is no link', (address) => {
    const { document, notes } = read(`[url=${address}]a[/url]`)
    expect(document.content).toEqual([{ type: 'paragraph', content: [{ type: 'text', text: 'a' }] }])
    expect(notes).toEqual(['link without a web address'])
  })

  test('bare addresses are links, unless that is off', () => {
    expect(blocks('http://a.org/?b=1&c=2 x')[0]).toEqual({
      type: 'paragraph',
      content: [link('http://a.org/?b=1&c=2'), { type: 'text', text: ' x' }],
    })
    expect(blocks('http://a.org/', { parseurloff: 1 })[0]).toEqual({
      type: 'paragraph',
      content: [{ type: 'text', text: 'http://a.org/' }],
    })
  })

  test.each([
    '[img]%[/img]',
    '[img=100,50]%[/img]',
    '[media=x,500,375]%[/media]',
    '[audio]%[/audio]',
    '[flash=1,2]%[/flash]',
    '[swf] % [/swf]',
  ])('%s is a link whose text is the address', (tag) => {
    const { document, notes } = read(tag.replace('%', 'https://a.org/x'))
    expect(document.content).toEqual([{ type: 'paragraph', content: [link('https://a.org/x')] }])
    expect(notes).toHaveLength(1)
  })

  test('attachments are files, each once', () => {
    const { document, used } = read('a[attach]12[/attach]b[attachimg]13[/attachimg][img]attach://14.jpg[/img][attach]12[/attach]')
    expect(document.content.filter(({ type }) => type === 'file')).toEqual([file('12'), file('13'), file('14')])
    expect(used).toEqual(['12', '13', '14'])
  })

  test('a file in a table stands behind it', () => {
    expect(blocks('[table][tr][td]a[attach]12[/attach][/td][/tr][/table]b').map(({ type }) => type)).toEqual(['table', 'file', 'paragraph'])
  })
})

describe('the text between tags', () => {
  test('smileys are emoji', () => {
    expect(toText(read(":) :'( :lol :lollipop :victory: C:\\ {:4_87:}").document)).toBe('🙂 😢 😆 :lollipop ✌️ C:\\ {:4_87:}')
    expect(toText(read('{:4_87:} :)', { smiley: (code) => (code === '{:4_87:}' ? '🍵' : null) }).document)).toBe('🍵 :)')
    expect(toText(read('a :tea:', { smileyCodes: [':tea:'], smiley: () => '🍵' }).document)).toBe('a 🍵')
  })

  test('only 1 is off', () => {
    expect(markdown('[b]a[/b] :)', { bbcodeoff: 1, smileyoff: 1 })).toBe(String.raw`\[b\]a\[/b\] :)`)
    expect(markdown('[b]a[/b] :)', { bbcodeoff: -1, smileyoff: -1 })).toBe('**a** 🙂')
  })

  test('names after @ are mentions', () => {
    const mention = (label: string) => ({ type: 'mention', attrs: { id: `import:name/${label}`, label } })
    const text = (text: string) => ({ type: 'text', text })
    expect(blocks('@Ann hi，@茶友。a@b.org 你好@Li! @sixteen-letters-x @')).toEqual([
      {
        type: 'paragraph',
        content: [mention('Ann'), text(' hi，'), mention('茶友'), text('。a@b.org 你好'), mention('Li'), text('! @sixteen-letters-x @')],
      },
    ])
  })

  test('the link that Discuz! made of a name is a mention with its id', () => {
    expect(blocks('[url=home.php?mod=space&uid=7]@Ann[/url] hi')).toEqual([
      {
        type: 'paragraph',
        content: [
          { type: 'mention', attrs: { id: 'import:member/7', label: 'Ann' } },
          { type: 'text', text: ' hi' },
        ],
      },
    ])
  })

  test('references are decoded once, in a board of GBK alone', () => {
    const message = '&#128512; &#55357;&#56832; &#38;#128512; &amp; [code]&#128512;[/code]'
    expect(toText(read(message, { charset: 'gbk' }).document)).toBe('😀 😀 &#128512; &amp;\n😀')
    expect(toText(read(message, { charset: 'utf8' }).document)).toBe('&#128512; &#55357;&#56832; &#38;#128512; &amp;\n&#128512;')
  })

  test('the note of an edit is dropped', () => {
    const { document, notes } = read('[i=s] 本帖最后由 admin 于 2026-11-29 03:29 编辑 [/i]\n\na [i=s]b[/i]')
    expect(toMarkdown(document)).toBe('a *b*')
    expect(notes).toEqual(['edit note'])
    expect(markdown('[ 本帖最后由 admin 于 2026-11-29 03:29 编辑 ]\n\na', { bbcodeoff: 1 })).toBe('a')
  })
})

describe('who is quoted', () => {
  const address = 'forum.php?mod=redirect&goto=findpost&pid=3&ptid=1'

  test('the form has the name, which leads to the post', () => {
    const head = `[size=2][url=${address}][color=#999999]admin 发表于 2026-11-29 03:29[/color][/url][/size]`
    expect(blocks(`[quote]${head}\nreply one[/quote]\n\nanswer`)).toEqual([
      {
        type: 'blockquote',
        content: [
          { type: 'paragraph', content: [link('admin', address)] },
          { type: 'paragraph', content: [{ type: 'text', text: 'reply one' }] },
        ],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'answer' }] },
    ])
    expect(read(`[quote]${head}\nreply one[/quote]`).notes).toEqual([])
  })

  test.each([
    '[i]Ann 发表于 2009-1-1 10:00[/i]',
    '[i]Ann posted on 2009-1-1 10:00[/i]',
    '[size=2]Published by Ann on 2009-1-1[/size]',
    '[i]Ann 發表於 昨天[/i]',
  ])('the older form %s has the name', (head) => {
    expect(toText(read(`[quote]${head}\ntext[/quote]`).document)).toBe('Ann\ntext')
  })

  test.each(['[b]Ann posted on a wall[/b]\nx', '[i]Ann 发表于 2009-1-1[/i] x', '[i]Ann[/i]\nx', 'Ann 发表于 2009-1-1\nx'])(
    '%j is text',
    (text) => {
      expect(toText(read(`[quote]${text}[/quote]`).document)).toBe(text.replaceAll(/\[\/?[bi]\]/g, ''))
    },
  )
})

describe('HTML around tags', () => {
  test('both are read', () => {
    expect(markdown('html <b>on</b> &amp; [i]bb[/i]<p>[quote]a<br>b[/quote]</p>[code]<b>[/code]', { htmlon: 1 })).toBe(
      'html **on** & *bb*\n\n> a\\\n> b\n\n```\n<b>\n```',
    )
  })

  test('entities are decoded once', () => {
    expect(toText(read('&amp;lt; &lt;b&gt; &#128512;', { htmlon: 1, charset: 'gbk' }).document)).toBe('&lt; <b> 😀')
  })
})
