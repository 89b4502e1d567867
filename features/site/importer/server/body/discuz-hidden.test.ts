import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultInParts } from '#base/rich-text/hidden-part.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { documentFromDiscuz, type DiscuzBody, type DiscuzOptions } from '#importer/server/body/discuz-code.ts'

const publishedAt = new Date('2026-11-01T00:00:00Z')
const standard: DiscuzOptions = { hides: true, withheld: 'Hidden text was not moved.', publishedAt, now: publishedAt }
const days = (count: number) => new Date(publishedAt.getTime() + count * 86_400_000)

function read(message: string, options: Partial<DiscuzOptions> = {}): DiscuzBody {
  return documentFromDiscuz(message, { ...standard, ...options })
}

/** The parts of the document, each as its lock and its text. */
function parts(message: string, options: Partial<DiscuzOptions> = {}): string[] {
  return read(message, options).document.content.map((block) => {
    const text = toText({ type: 'doc', content: [block] })
    return block.type === 'hidden' ? `${block.attrs.lock} ${block.attrs.value}: ${text}` : text
  })
}

describe('hidden text of a topic is a hidden part', () => {
  test.each([
    ['for an answer', 'a [hide]b[/hide] c', ['a', 'comment : b', 'c']],
    ['for points', 'a[HIDE=100]b[/Hide]c', ['a', 'level 100: b', 'c']],
    ['for no points', '[hide=0]a[/hide]', ['level 0: a']],
    ['for points beyond ours', '[hide=99999999999999999999]a[/hide]', ['level 999999999: a']],
    ['for a condition of a plugin', '[hide=vip]a[/hide]', ['comment : a']],
    ['without an end', 'a [hide]b', ['a [hide]b']],
    ['without anything in it', 'a[hide] [/hide]b', ['a', 'b']],
    ['in a quote', '[quote]a[hide]b[/hide]c[/quote]', ['a', 'comment : b', 'c']],
    ['in a list', '[list][*]a[hide]b[/hide]c[*]d[/list]', ['a', 'comment : b', 'c\nd']],
    ['in a table', '[table][tr][td]a[hide]b[/hide][/td][td]c[/td][/tr][/table]', ['a', 'comment : b', 'c']],
    ['in itself', '[hide]a[hide]b[/hide]c[/hide]d', ['comment : abc', 'd']],
    ['in itself without an end', '[hide]a[hide]b[/hide]c', ['comment : ab', 'c']],
    ['in itself for more points', '[hide]a[hide=5]b[/hide]c[/hide][hide=9][hide]d[/hide][/hide]', ['level 5: abc', 'level 9: d']],
    ['across a quote', '[quote]a[hide]b[/quote]c[/hide]d', ['[quote]a', 'comment : b[/quote]c', 'd']],
    ['in code', '[code][hide]a[/hide][/code]', ['[hide]a[/hide]']],
  ])('%s', (_, message, expected) => {
    expect(parts(message, { smileyoff: 1 })).toEqual(expected)
  })

  test('the marks around it are on it, and its own end with it', () => {
    const { document } = read('[b]a[hide]b[i]c[/hide]d[/b]')
    const bold = [{ type: 'bold' }]
    expect(document.content).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'a', marks: bold }] },
      {
        type: 'hidden',
        attrs: { lock: 'comment', value: '' },
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'b', marks: bold },
              { type: 'text', text: 'c', marks: [...bold, { type: 'italic' }] },
            ],
          },
        ],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'd', marks: bold }] },
    ])
  })

  test('its days end', () => {
    expect(parts('a [hide=d3,10]b[/hide]', { now: days(2.9) })).toEqual(['a', 'level 10: b'])
    expect(parts('a [hide=d3,10]b[/hide]', { now: days(3.1) })).toEqual(['a b'])
    expect(parts('a [hide=d3]b[/hide]', { now: days(1) })).toEqual(['a', 'comment : b'])
    expect(parts('a [hide]b[/hide]', { now: days(8), hideDays: 7 })).toEqual(['a b'])
    expect(parts('[hide=d3]a[hide]b[/hide]c[/hide]', { now: days(4) })).toEqual(['comment : abc'])
  })

  test('more parts than a topic may have are joined', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `a [hide=${at + 1}]b${at + 1}[/hide]`).join(' ')
    const { document, notes, hidden } = read(`${levels} [hide]c[/hide]`)
    expect(hidden).toBe(2)
    expect(notes).toContain('many hidden parts')
    expect(document.content.filter(({ type }) => type === 'hidden')).toMatchObject([
      { attrs: { value: '30' } },
      { attrs: { lock: 'comment' } },
    ])
    expect(parts('[hide]a[/hide]b'.repeat(25))[0]).toBe(`comment : ${'a\n'.repeat(25).trim()}`)
  })

  test('tags that are off hide nothing', () => {
    expect(parts('[hide]a[/hide]', { bbcodeoff: 1 })).toEqual(['[hide]a[/hide]'])
  })
})

describe('a paid topic', () => {
  test('has its free text first, and the paid text in one part', () => {
    const { document, notes } = read('a [free]b[/free] c [free]d[/free] e', { price: 5 })
    expect(parts('a [free]b[/free] c [free]d[/free] e', { price: 5 })).toEqual(['b', 'd', 'points 5: a\nc\ne'])
    expect(faultInParts(document)).toBeNull()
    expect(notes).toEqual(['paid text in one part'])
  })

  test.each([
    ['hidden text within free text has its own lock', '[free]a[hide=9]b[/hide][/free]c', ['a', 'level 9: b', 'points 5: c']],
    ['hidden text within paid text is paid', 'a[hide]b[/hide]', ['points 5: ab']],
    ['free text within hidden text is paid', 'a[hide][free]b[/free][/hide]', ['points 5: a\nb']],
    ['free text that ends in hidden text ends before', '[free]a[hide]b[/free]c[/hide]d[/free]', ['a', 'points 5: b[/free]cd[/free]']],
    ['free text in free text ends with the first end', '[free]a[free]b[/free]c[/free]', ['a[free]b', 'points 5: c[/free]']],
    ['a link around free text is not on it', '[url=https://secret.org]a[free]b[/free]c[/url]', ['b', 'points 5: a\nc']],
    ['free text without an end is paid', 'a[free]b', ['points 5: a[free]b']],
  ])('%s', (_, message, expected) => {
    expect(parts(message, { price: 5 })).toEqual(expected)
    expect(JSON.stringify(read(message, { price: 5 }).document.content.filter(({ type }) => type !== 'hidden'))).not.toContain('secret')
  })

  test('files that the text does not show are paid too', () => {
    const { document, used } = read('[free]a[/free]b', { price: 5, fileIds: ['7', '8'] })
    expect(JSON.stringify(document.content.at(-1))).toContain('import:file/8')
    expect(used).toEqual(['7', '8'])
    expect(read('a[hide]b[attach]8[/attach][/hide]', { fileIds: ['7', '8'] }).used).toEqual(['8'])
  })

  test('a price beyond ours is the highest', () => {
    expect(parts('a', { price: 1e12 })).toEqual(['points 99999999: a'])
  })
})

describe('a password hides the whole post', () => {
  test.each([
    ['at its beginning', '[password]x 1[/password]a[hide]b[/hide]', 'password x 1: ab'],
    ['further on', 'a [password]x[/password]b', 'password x: a b'],
    ['in code', '[code]a[password]x[/password][/code]b', 'password x: a\nb'],
    ['more than once', '[password]x[/password]a[password]y[/password]b', 'password x: ab'],
    ['of another kind', `[password]${'x'.repeat(60)}[/password]a`, 'level 999999999: a'],
    ['of blanks', '[password]  [/password]a', 'level 999999999: a'],
  ])('%s', (_, message, expected) => {
    expect(parts(message)).toEqual([expected])
    expect(parts(message, { price: 5 })).toEqual([expected])
    expect(faultInParts(read(message).document)).toBeNull()
  })

  test('it is one where tags are off too', () => {
    expect(parts('[password]x[/password][b]a[/b]', { bbcodeoff: 1 })).toEqual(['password x: [b]a[/b]'])
  })

  test('one over two lines is text', () => {
    expect(parts('[password]x\n[/password]a')).toEqual(['[password]x\n[/password]a'])
  })
})

describe('a comment leaves hidden text out', () => {
  test.each([
    ['a [hide]secret[/hide] b', 'a\nHidden text was not moved.\nb'],
    ['[hide]secret[/hide][hide=5]secret[/hide]b', 'Hidden text was not moved.\nb'],
    ['[password]x[/password]secret', 'Hidden text was not moved.'],
  ])('%s', (message, expected) => {
    const { document, notes, leftOut, used } = read(`${message}[hide]secret[attach]3[/attach][/hide]`, { hides: false })
    expect(toText(document)).toContain(expected)
    expect(JSON.stringify([document, notes])).not.toContain('secret')
    expect(notes).toContain('hidden in a comment')
    expect(leftOut).toBeGreaterThan(0)
    // It must not stand below the post either.
    expect(used).toEqual(['3'])
  })

  test('nothing stands for it if there is no sentence', () => {
    expect(read('a [hide]secret[/hide]', { hides: false, withheld: '' }).document.content).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: 'a' }] },
    ])
  })
})

const tags = [
  ...'[hide] [hide] [hide=10] [/hide] [/hide] [quote] [/quote] [b] [/b] [i] [/i] [list] [*] [/list] [table] [tr] [td] [/td] [/tr]'.split(
    ' ',
  ),
  ...'[/table] [code] [/code] [free] [/free] [/url] [img] [/img] [align=left] [/align] [hr] [email] [/email] [hide=d1] : @ |'.split(' '),
]
const htmlTags = [
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '<script>',
  '</script>',
  '<a href="',
  '">',
  '<pre>',
  '</pre>',
  '<p>',
  '<li>',
  '<table>',
  '<td>',
]
let count = 0
const word = fc.constant(null).map(() => ` w${++count}w `)
const secretArgument = fc
  .constantFrom('[url=https://%/]', '[hide=%]', '[foo=%]', '[%]', '[/%]')
  .map((tag) => tag.replace('%', `w${++count}w`))
const soup = fc.array(fc.oneof(word, word, fc.constantFrom(...tags), fc.constantFrom('\n', ' '), secretArgument), { maxLength: 25 })
const htmlSoup = fc.array(fc.oneof(word, fc.constantFrom(...tags), fc.constantFrom(...htmlTags), secretArgument), { maxLength: 25 })
const messages = fc.oneof(
  soup.map((pieces) => ({ message: pieces.join(''), htmlon: 0 })),
  htmlSoup.map((pieces) => ({ message: pieces.join(''), htmlon: 1 })),
)
const wordsIn = (text: string) => new Set(text.match(/w\d+w/g))

/** The words that Discuz! hides, and those that it shows: its patterns, one after the other. */
function asDiscuz(message: string): { hidden: Set<string>; shown: string } {
  const codes: string[] = []
  let text = message.replaceAll(/\[code\]([^]+?)\[\/code\]/gi, (_, code: string) => `\ue000${codes.push(code) - 1}\ue001`)
  const withCodes = (part: string) => part.replaceAll(/\ue000(\d+)\ue001/g, (_, at: string) => codes[Number(at)] ?? '')
  let hidden = ''
  const hide = (_: string, inside: string) => {
    hidden += withCodes(inside)
    return ''
  }
  text = text.replaceAll(/\[hide=d1\]/gi, '[hide]')
  text = text.replaceAll(/\[hide\]([^]*?)\[\/hide\]/gi, hide).replaceAll(/\[hide=\d+\]([^]*?)\[\/hide\]/gi, hide)
  return { hidden: wordsIn(hidden), shown: withCodes(text) }
}

function publicWords({ document, notes }: DiscuzBody): Set<string> {
  return wordsIn(JSON.stringify([document.content.filter(({ type }) => type !== 'hidden'), notes]))
}

describe('no hidden word stands outside of a hidden part, whatever is around it', () => {
  test('in a topic', () => {
    fc.assert(
      fc.property(messages, ({ message, htmlon }) => {
        const shown = publicWords(read(message, { htmlon }))
        expect([...asDiscuz(message).hidden].filter((one) => shown.has(one))).toEqual([])
      }),
      { numRuns: runs(5000) },
    )
  })

  test('in a comment', () => {
    fc.assert(
      fc.property(messages, ({ message, htmlon }) => {
        const { document, notes } = read(message, { htmlon, hides: false })
        const shown = wordsIn(JSON.stringify([document, notes]))
        expect(document.content.some(({ type }) => type === 'hidden')).toBe(false)
        expect([...asDiscuz(message).hidden].filter((one) => shown.has(one))).toEqual([])
      }),
      { numRuns: runs(3000) },
    )
  })

  test('in a paid topic, of which the free text alone is shown', () => {
    fc.assert(
      fc.property(messages, ({ message, htmlon }) => {
        const free = [...message.matchAll(/\[free\]([^]+?)\[\/free\]/gi)].map(([, text = '']) => text).join('')
        const [shown, freeWords] = [publicWords(read(message, { htmlon, price: 3 })), wordsIn(free)]
        expect([...shown].filter((one) => !freeWords.has(one) || asDiscuz(message).hidden.has(one))).toEqual([])
      }),
      { numRuns: runs(3000) },
    )
  })

  test('behind a password', () => {
    fc.assert(
      fc.property(messages, messages, ({ message, htmlon }, other) => {
        const body = read(`${message}[password]tea[/password]${other.message}`, { htmlon })
        expect([...publicWords(body)]).toEqual([])
      }),
      { numRuns: runs(1000) },
    )
  })
})
