import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coloured } from '#base/rich-text/code-colours.ts'
import { codeLanguageOf, codeLanguages, languageName, normalizeLanguage } from '#base/rich-text/code-language.ts'
import { documentOf } from '#base/rich-text/check-document.ts'
import type { Block, Doc, Inline } from '#base/rich-text/document.ts'
import { anyDocument, hostileText } from '#base/testing/rich-text-factories.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { truncate, hasAtMost } from '#base/characters.ts'
import { summaryOf, toText } from '#base/rich-text/to-text.ts'
import { messageOf } from '#base/validation.ts'
import { runs } from '#base/testing/extent.ts'

const attacks = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '" onfocus="alert(1)" autofocus="',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<style>*{background:url(//evil)}</style>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u2028<script>\u2029',
  '<\u200bscript>',
  '{{constructor.constructor("alert(1)")()}}',
]

function says(text: string): Doc {
  return documentWith({ type: 'paragraph', content: [{ type: 'text', text }] })
}

function documentWith(...content: Block[]): Doc {
  return { type: 'doc', content }
}

const around = {
  picture({ file }: { file: string }) {
    const src = `/file/${file}"><script>`
    if (file.length % 5 === 0) return null
    return { src, width: 8, height: 6, ...(file.length % 2 === 0 && { srcset: `${src} 480w`, avif: `${src}&as=avif 480w` }) }
  },
  attachment: ({ file, name, bytes }: { file: string; name: string; bytes: number }) =>
    file.length % 3 === 0 ? null : { href: `/file/${file}"><script>`, name, bytes },
  mention: (id: string) =>
    id.endsWith('0') ? null : { href: `/user/control/home?userId=${id}"onx="`, name: attacks[Number(id) % attacks.length] ?? '' },
}

function htmlOf(doc: Doc): string {
  return toSegments(doc, around)
    .map((segment) => segment.html)
    .join('')
}

/** The tags of HTML as a browser would parse them, without `<` in attribute values. Throws if they are unbalanced. */
function tagsIn(html: string): { name: string; attributes: Record<string, string> }[] {
  const open: string[] = []
  const tags: { name: string; attributes: Record<string, string> }[] = []
  const rest = html.replace(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g, (_, slash: string, name: string, written: string) => {
    if (slash && open.pop() !== name) throw new Error(`</${name}> closes nothing`)
    if (!slash && !['br', 'hr', 'img', 'source'].includes(name)) open.push(name)
    const attributes = [...written.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value])
    if (!slash) tags.push({ name, attributes: Object.fromEntries(attributes) })
    return ''
  })
  if (open.length > 0 || /[<>]/.test(rest)) throw new Error(`not balanced: ${open.join()} ${rest}`)
  return tags
}

const allowedTags = new Set(
  'p h2 h3 h4 ul ol li div blockquote pre code hr table tbody tr th td img picture source br strong em s a span'.split(' '),
)
const allowedAttributes = new Set(
  'start dir class role aria-label data-checked tabindex data-language src srcset sizes type alt width height loading decoding href title rel target download data-bytes'.split(
    ' ',
  ),
)
const harmlessAddress = /^(https?:\/\/|mailto:|\/(?![/\\]))/i
const allowedValues: Record<string, RegExp> = { class: /^[\w -]*$/, href: harmlessAddress, src: /^\/file\//, srcset: /^\/file\// }

function expectHarmless(html: string): void {
  for (const { name, attributes } of tagsIn(html)) {
    expect(allowedTags).toContain(name)
    for (const [key, value] of Object.entries(attributes)) {
      expect(allowedAttributes).toContain(key)
      expect(value).toMatch(allowedValues[key] ?? /^/)
    }
  }
}

describe('the HTML of a document', () => {
  test('is harmless and balanced for any document', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => expectHarmless(htmlOf(doc))),
      { numRuns: runs(500) },
    )
  })

  test.each(attacks)('shows %j as text, everywhere', (attack) => {
    const text: Inline = {
      type: 'text',
      text: attack,
      marks: [{ type: 'bold' }, { type: 'link', attrs: { href: `https://a.cn/${attack.replace(/[\s\u200b\u2028\u2029]/g, '')}` } }],
    }
    const code: Block[] = (Object.keys(codeLanguages) as (keyof typeof codeLanguages)[]).map((language) => ({
      type: 'codeBlock',
      attrs: { language },
      content: [{ type: 'text', text: attack }],
    }))
    const html = htmlOf(
      documentWith(
        { type: 'heading', attrs: { level: 2 }, content: [text] },
        { type: 'image', attrs: { file: 'f_abcd', alt: attack, width: 1, height: 1 } },
        { type: 'image', attrs: { file: 'f_abc', alt: attack, width: 1, height: 1 } },
        {
          type: 'paragraph',
          content: [
            { type: 'mention', attrs: { id: '7', label: attack.slice(0, 50) } },
            { type: 'mention', attrs: { id: '10', label: attack.slice(0, 50) } },
          ],
        },
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: [{ type: 'tableHeader', attrs: { align: 'left' }, content: [{ type: 'paragraph', content: [text] }] }],
            },
          ],
        },
        ...code,
      ),
    )
    expectHarmless(html)
    expect(html).not.toMatch(/<script|<svg|<iframe/i)
  })

  test('has one link where one leads, with other marks within it', () => {
    const link = { type: 'link', attrs: { href: '/tag', title: 'All "teas"' } } as const
    const words: Inline[] = [
      { type: 'text', text: 'the ', marks: [link] },
      { type: 'text', text: 'best', marks: [link, { type: 'bold' }] },
      { type: 'text', text: 'tea', marks: [{ type: 'link', attrs: { href: '/tag' } }] },
    ]
    expect(htmlOf(documentWith({ type: 'paragraph', content: words }))).toBe(
      '<p><a href="/tag" title="All &quot;teas&quot;">the <strong>best</strong></a><a href="/tag">tea</a></p>',
    )
  })

  test('leaves the words of a link that leads nowhere good', () => {
    const link = (href: string): Inline => ({ type: 'text', text: 'tea', marks: [{ type: 'link', attrs: { href } }] })
    expect(htmlOf(documentWith({ type: 'paragraph', content: [link('javascript:alert(1)')] }))).toBe('<p>tea</p>')
    expect(htmlOf(documentWith({ type: 'paragraph', content: [link('https://a.cn/"x')] }))).toContain(
      'href="https://a.cn/&quot;x" rel="noopener ugc nofollow"',
    )
  })
})

describe('a safe address', () => {
  test.each([
    'https://a.cn',
    'HTTP://A.CN/b?c=1&d=(e)#f',
    'https://茶.cn/好',
    'mailto:mei@a.cn',
    '/thread?topicId=1',
    '/',
    'https://user@a.cn:8080/x',
  ])('%s may be followed', (address) => expect(safeUrl(address)).toBe(address))

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.cn/x',
    'ftp://a.cn',
    'about:blank',
    'tel:1',
    '//evil.cn',
    '/\\evil.cn',
    '\\\\evil.cn',
    '/a\\b',
    'https:evil.cn',
    'https:/evil.cn',
    'https:\\\\evil.cn',
    'http:///a.cn\\@b',
    '',
    'tea',
    '#x',
    '?x',
    'a.cn',
    'https://a.cn/\u202etxt',
    'https://a.cn/\u200b',
    'https://a.cn/ b',
    'https://a.cn/\u00a0',
    'view-source:https://a.cn',
    'jar:https://a.cn!/',
    `https://a.cn/${'a'.repeat(2000)}`,
  ])('%j is no address', (address) => expect(safeUrl(address)).toBeNull())

  test('is only ever the written text, with an allowed scheme', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.webUrl(), fc.string()), (written) => {
        const url = safeUrl(written)
        expect(url === null || (url === written && harmlessAddress.test(url))).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('the language of code', () => {
  test.each([
    ['xml', 'xml'],
    ['css', 'css'],
    ['html', 'html'],
    ['js', 'javascript'],
    ['javascript', 'javascript'],
    ['java', 'java'],
    ['pl', 'perl'],
    ['py', 'python'],
    ['rb', 'ruby'],
    ['go', 'go'],
    ['cpp', 'cpp'],
    ['cs', 'cs'],
    ['bsh', 'bash'],
    ['bash', 'bash'],
    [' JS ', 'javascript'],
    ['', 'markup'],
    ['rust', 'markup'],
    ['"onx=', 'markup'],
    ['../../x', 'markup'],
    ['constructor', 'markup'],
    ['__proto__', 'markup'],
    ['toString', 'markup'],
  ])('%j is %s', (written, language) => expect(codeLanguageOf(written)).toBe(language))

  test('is one of ours, for any text', () => {
    fc.assert(fc.property(fc.string(), (written) => Object.hasOwn(codeLanguages, codeLanguageOf(written))))
  })

  test.each([
    ['js', 'javascript'],
    ['JavaScript', 'javascript'],
    ['ts', 'ts'],
    ['SQL', 'SQL'],
    ['c++', 'c++'],
    ['文言', '文言'],
    ['js{1,3}', 'javascript'],
    ['{.r}', 'r'],
    ['"onx=', 'onx'],
    ['constructor', 'constructor'],
    ['', 'markup'],
    ['"', 'markup'],
    ['x'.repeat(31), 'x'.repeat(30)],
  ])('%j is kept as %s', (written, expected) => expect(normalizeLanguage(written)).toBe(expected))

  test('is kept under a short and harmless name, which is its own name', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'binary' })), (written) => {
        const language = normalizeLanguage(written)
        expect(language).toMatch(languageName)
        expect(normalizeLanguage(language)).toBe(language)
      }),
    )
  })

  test('is shown in the head of the code as it was given, if the table has no name for it', () => {
    const html = (language: string) =>
      htmlOf(documentWith({ type: 'codeBlock', attrs: { language }, content: [{ type: 'text', text: 'tea' }] }))
    expect(html('wiki+x')).toBe('<pre tabindex="0" data-language="wiki+x"><code class="language-markup">tea</code></pre>')
    expect(html('cs')).toContain('data-language="C#"><code class="language-cs">')
    expect(html('markup')).toBe('<pre tabindex="0"><code class="language-markup">tea</code></pre>')
    expect(html('"><b>')).toContain('data-language="&quot;&gt;&lt;b&gt;"')
  })

  test('is coloured if it has a grammar, under any of its names', () => {
    const kinds = (language: string, code: string) =>
      coloured(language, code)?.flatMap((part) => (typeof part === 'string' ? [] : part.kind))
    expect(kinds('ts', 'let a: number')).toContain('hljs-keyword')
    expect(kinds('SQL', 'select 1')).toContain('hljs-keyword')
    expect(['markup', 'wiki', 'constructor', '__proto__'].map((language) => coloured(language, 'let a'))).toEqual([null, null, null, null])
  })
})

describe('a document that comes in', () => {
  const schema = documentOf({ maxText: 20, maxPictures: 1, maxMentions: 1 })
  const image: Block = { type: 'image', attrs: { file: 'f_1', alt: '', width: 8, height: 6 } }
  const mention: Inline = { type: 'mention', attrs: { id: '7', label: 'Mei' } }
  const deep = Array.from({ length: 10 }).reduce<Block>(
    (inner) => ({ type: 'blockquote', content: [{ type: 'bulletList', content: [{ type: 'listItem', content: [inner] }] }] }),
    { type: 'horizontalRule' },
  )

  test.each<[string, unknown]>([
    ['base.documentTooDeep', documentWith(deep)],
    ['base.documentTooLong', says('a'.repeat(21))],
    ['base.documentTooManyParts', documentWith(...Array.from({ length: 5001 }, (): Block => ({ type: 'horizontalRule' })))],
    [
      'base.documentAddresses',
      documentWith({
        type: 'paragraph',
        content: Array.from({ length: 51 }, (_, at): Inline => {
          const attrs = { href: `https://a.cn/${at}`.padEnd(1_900, 'a'), title: 'b'.repeat(100) }
          return { type: 'text', text: at < 20 ? 'c' : '', marks: [{ type: 'link', attrs }] }
        }),
      }),
    ],
    ['base.documentPictures', documentWith(image, image)],
    ['base.documentMentions', documentWith({ type: 'paragraph', content: [mention, mention] })],
    ['base.documentEmpty', says(' \u200b\u2060 ')],
    ...['\u3164', '\u2800 \u2800', '\u115f\u1160', '\u{e0041}\ufe0f', '\u0301\u0301'].map((text): [string, unknown] => [
      'base.documentEmpty',
      says(text),
    ]),
    ['validation.marks', says(`tea${'\u0301'.repeat(11)}`)],
    [
      'validation.marks',
      documentWith({
        type: 'paragraph',
        content: Array.from({ length: 3 }, (_, at): Inline => ({
          type: 'text',
          text: '\u0301'.repeat(5),
          marks: at === 1 ? [{ type: 'bold' }] : [],
        })),
      }),
    ],
    ['base.documentTooManyParts', { type: 'doc', content: Array.from({ length: 5001 }, () => null) }],
    [
      'base.documentTooManyParts',
      { type: 'doc', content: [{ type: 'text', text: 'tea', marks: Array.from({ length: 5001 }, () => null) }] },
    ],
    ['base.documentEmpty', null],
    ['base.documentInvalid', 'tea'],
    ['base.documentInvalid', { ...says('tea'), title: 'x' }],
    ['base.documentInvalid', { type: 'doc', content: [{ type: 'script', text: 'tea' }] }],
    [
      'base.documentInvalid',
      { type: 'doc', content: [{ type: 'paragraph', attrs: { style: 'x' }, content: [{ type: 'text', text: 'tea' }] }] },
    ],
    [
      'base.documentInvalid',
      documentWith({
        type: 'paragraph',
        content: [{ type: 'text', text: 'tea', marks: [{ type: 'link', attrs: { href: 'javascript:x' } }] }],
      }),
    ],
    [
      'base.documentInvalid',
      { type: 'doc', content: [{ type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'tea' }] }] },
    ],
    ['base.documentInvalid', { type: 'doc', content: [{ ...image, attrs: { ...image.attrs, file: '../x' } }] }],
    ...['', '"', 'a b', '<b>', 'x'.repeat(31)].map((language): [string, unknown] => [
      'base.documentInvalid',
      { type: 'doc', content: [{ type: 'codeBlock', attrs: { language }, content: [{ type: 'text', text: 'tea' }] }] },
    ]),
    ['base.documentInvalid', { type: 'doc', content: [{ ...image, attrs: { ...image.attrs, src: 'https://evil' } }] }],
    [
      'base.documentInvalid',
      JSON.parse('{"type":"doc","__proto__":{"x":1},"content":[{"type":"paragraph","content":[{"type":"text","text":"tea"}]}]}'),
    ],
  ])('is refused with %s', (code, document) => {
    const { error } = schema.safeParse(document)
    expect(error?.issues.map((issue) => messageOf(issue).key)).toEqual([code])
  })

  test('is only paragraphs and pictures where it is a reply', () => {
    const plain = documentOf({ maxText: 100, isPlain: true })
    expect(plain.safeParse(documentWith(image, { type: 'paragraph', content: [mention] })).success).toBe(true)
    expect(plain.safeParse(documentWith({ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'tea' }] })).success).toBe(
      false,
    )
  })
})

describe('the words of a document', () => {
  test('are never markup and never cut within a character', () => {
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 2, max: 40 }), (doc, length) => {
        expect(hasAtMost(summaryOf(doc, length), length)).toBe(true)
        expect(toText(doc)).toBe(toText(doc).trim())
      }),
    )
    expect(truncate('👩‍👩‍👧 tea', 5)).toBe('👩‍👩‍👧 tea')
    expect(truncate('👩‍👩‍👧 tea', 3)).toBe('👩‍👩‍👧…')
    expect(truncate('茶馆里的一天', 4)).toBe('茶馆里…')
  })
})
