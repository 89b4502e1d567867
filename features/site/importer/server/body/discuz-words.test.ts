import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasShape } from '#base/rich-text/check-document.ts'
import type { Doc, Node } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { hostilePiece, repeated } from '#base/testing/hostile-inputs.ts'
import { countingSteps, isLinear } from '#base/testing/steps.ts'
import { documentFromDiscuz, type DiscuzOptions } from '#importer/server/body/discuz-code.ts'
import { insertedRows } from '#importer/testing/insert-rows.ts'

const publishedAt = new Date('2026-11-01T00:00:00Z')
const standard: DiscuzOptions = { hides: true, withheld: 'Hidden text was not moved.', publishedAt, now: publishedAt }

function read(message: string, options: Partial<DiscuzOptions> = {}): Doc {
  return documentFromDiscuz(message, { ...standard, ...options }).document
}

const sorted = (words: readonly string[]) => [...words].sort()
const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '')

// The writer replaces the other program's references.
function withOwnReferences(document: Doc): Doc {
  return JSON.parse(
    JSON.stringify(document)
      .replaceAll(/import:(?:file|member|name)\/[^"]*/g, '1')
      .replaceAll('"href":"', '"href":"/'),
  ) as Doc
}

describe('every word that a reader saw stands in the document exactly once', () => {
  const dump = readFileSync(new URL('../../testing/rows/discuz.sql', import.meta.url), 'utf8')
  const posts = insertedRows(dump).flatMap(({ table, row }) => (table === 'pre_forum_post' ? [row] : []))
  const flag = (value: string | null | undefined) => Number(value)

  test('in the rows of Discuz!', () => {
    expect(posts).toHaveLength(8)
    for (const { message, htmlon, bbcodeoff, smileyoff } of posts) {
      const flags = { htmlon: flag(htmlon), bbcodeoff: flag(bbcodeoff), smileyoff: flag(smileyoff) }
      const seen = withoutBlanks(seenIn(message ?? '', flags))
      expect(withoutBlanks(toText(read(message ?? '', flags)))).toBe(seen)
      // Free text comes first.
      const paid = withoutBlanks(toText(read(message ?? '', { ...flags, price: 5 })))
      expect(sorted([...paid])).toEqual(sorted([...seen]))
    }
  })

  test('in any tree of tags', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 5), ({ message, seen }, price) => {
        const document = read(message, { price })
        expect(sorted(wordsOf(document))).toEqual(sorted(seen))
        expect(hasShape(withOwnReferences(document))).toBe(true)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('in any order of tags', () => {
    fc.assert(
      fc.property(soup, fc.constantFrom(0, 5), ({ message, seen }, price) => {
        const document = read(message, { price })
        expect(sorted(wordsOf(document))).toEqual(sorted(seen))
        expect(hasShape(withOwnReferences(document))).toBe(true)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('in any tree of tags and HTML', () => {
    fc.assert(
      fc.property(htmlTree, ({ message, seen }) => {
        expect(sorted(wordsOf(read(message, { htmlon: 1 })))).toEqual(sorted(seen))
      }),
      { numRuns: runs(2000) },
    )
  })
})

function wordsOf(document: Doc): string[] {
  return toText(document).match(/w\d+w/g) ?? []
}

const knownTag =
  /\[\/?(?:align|audio|b|code|color|email|flash|font|free|hide|hr|i|img|list|media|quote|size|table|td|tr|url|\*)(?:=[^\]]*)?\]/g

/** What a page shows of a message, without the date of a quote. */
function seenIn(message: string, { htmlon, bbcodeoff, smileyoff }: { htmlon: number; bbcodeoff: number; smileyoff: number }): string {
  let text = message.replaceAll(/\[(password|postbg)\].*?\[\/\1\]/g, '').replaceAll(/ 发表于 [\d :-]+/g, '')
  if (bbcodeoff !== 1) text = text.replaceAll(knownTag, '')
  if (smileyoff !== 1) text = text.replaceAll(':)', '🙂')
  return htmlon === 1 ? text.replaceAll(/<\/?\w+>/g, '') : text
}

type Tree = { message: string; seen: string[] }

let count = 0
const word = fc.constant(null).map((): Tree => {
  const one = `w${++count}w`
  return { message: ` ${one} `, seen: [one] }
})
const nothing = fc
  .constantFrom('\n', '\n\n', '[hr]', '[attach]12[/attach]', '[postbg]1.png[/postbg]', '<x>', '&amp;', '[', ']', '[/b]', ':)', '@a ')
  .map((message): Tree => ({ message, seen: [] }))
const pairs = [
  ...'b i s u quote list hide hide=9 free indent color=red size=2 font=x align=left float=left url=https://a.org/ backcolor=#fff'.split(
    ' ',
  ),
  ...'url=forum.php?tid=3 groupid=3 email=a@a.org table foo'.split(' '),
  'p=1, 2, left',
].map((tag) => [`[${tag}]`, `[/${tag.replace(/=.*/, '')}]`] as const)
const media = fc.constantFrom('img', 'media', 'flash', 'swf', 'audio').map((tag): Tree => {
  const one = `w${++count}w`
  return { message: `[${tag}]https://${one}.org[/${tag}]`, seen: [one] }
})
const quote =
  '[quote][size=2][url=forum.php?mod=redirect&goto=findpost&pid=3&ptid=1][color=#999999]% 发表于 2026-11-29[/color][/url][/size]\n'

function treeOf(pairs: readonly (readonly [string, string])[]): fc.Arbitrary<Tree> {
  return fc.letrec<{ tree: Tree; element: Tree; items: Tree; table: Tree; quote: Tree; code: Tree }>((tie) => ({
    tree: fc
      .array(
        fc.oneof({ depthSize: 'large' }, word, word, nothing, media, tie('element'), tie('items'), tie('table'), tie('quote'), tie('code')),
        {
          maxLength: 5,
        },
      )
      .map(joined),
    element: fc.tuple(fc.constantFrom(...pairs), tie('tree')).map(([pair, inner]) => within(pair, inner)),
    items: fc
      .array(tie('tree'), { maxLength: 4 })
      .map((items) => within(['[list=1]', '[/list]'], joined(items.map((one) => within(['[*]', ''], one))))),
    table: fc
      .array(fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((rows) => rows.map((cells) => within(['[tr]', '[/tr]'], joined(cells.map((cell) => within(['[td]', '[/td]'], cell))))))
      .map((rows) => within(['[table]', '[/table]'], joined(rows))),
    quote: fc.tuple(word, tie('tree')).map(([name, inner]): Tree => ({
      message: `${quote.replace('%', name.message.trim())}${inner.message}[/quote]`,
      seen: [...name.seen, ...inner.seen],
    })),
    code: word.map((inner) => within(['[code]', '[/code]'], inner)),
  })).tree
}

const tree = treeOf(pairs)
const htmlPairs = ['b', 'i', 'p', 'div', 'blockquote', 'ul', 'li', 'table', 'td', 'tr', 'h2', 'a', 'span', 'pre', 'code', 'x-y']
const htmlTree = treeOf([...pairs, ...htmlPairs.map((tag) => [`<${tag}>`, `</${tag}>`] as const)]).map(({ message, seen }) => ({
  // Only these begin an element that is not meant.
  message: message.replaceAll('<x>', ''),
  seen,
}))
const soup = fc
  .array(
    fc.oneof(
      word,
      word,
      nothing,
      fc.constantFrom(...pairs.flat(), '[*]', '[tr]', '[td]', '[/td]', '|').map((message): Tree => ({ message, seen: [] })),
    ),
    {
      maxLength: 30,
    },
  )
  .map(joined)

function within([begin, end]: readonly [string, string], { message, seen }: Tree): Tree {
  return { message: begin + message + end, seen }
}

function joined(trees: readonly Tree[]): Tree {
  return { message: trees.map(({ message }) => message).join(''), seen: trees.flatMap(({ seen }) => seen) }
}

function depthOf(node: Node): number {
  return node.content ? 1 + node.content.reduce((deepest, child) => Math.max(deepest, depthOf(child)), 0) : 0
}

describe('the cost of a message grows no faster than its length', () => {
  const pieces = [
    ...pairs.map(([begin]) => `${begin}a `),
    ...pairs.map(([begin, end]) => `${begin}a${end}`),
    ...'[ ] [[b] [b [url= [hide= [*] [code] [code]a[/code] [img] [img]a [password] [password]a [/password] [list][*] [tr][td]'.split(' '),
    ...'[free]a[hide]b[/free] [hide][quote] [/hide][hide] [attach]1[/attach] [quote][size=2][url=a]b | @ @a : :) {:1_ &# &#1;'.split(' '),
    ...'http:// < <b> <b>[hide]a[/hide]'.split(' '),
    '[table]a|b\n',
    'http://a.org ',
    '\n',
    '\r',
    ' ',
    '[i=s] 本帖最后由',
  ]

  test.each(pieces)('%j', async (piece) => {
    for (const options of [{ charset: 'gbk' as const }, { htmlon: 1, price: 5 }])
      expect(await isLinear((length) => () => read(repeated(piece, length), options)), JSON.stringify(options)).toBe(true)
  })

  test('with any structure', () =>
    countingSteps((stepsOf) =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(
            hostilePiece,
            fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((some) => some.join('')),
          ),
          async (piece) => {
            const few = await stepsOf(() => read(repeated(piece, 2_000)))
            expect(await stepsOf(() => read(repeated(piece, 8_000)))).toBeLessThan(6 * few + 50_000)
          },
        ),
        { numRuns: runs(200) },
      ),
    ))

  test.each([
    ['10,000 quotes without an end', '[quote]'.repeat(10_000)],
    ['100,000 brackets', '['.repeat(100_000)],
    ['quotes in quotes', `${'[quote]z'.repeat(10_000)}${'[/quote]'.repeat(10_000)}`],
    ['lists in lists', `${'[list][*]z'.repeat(10_000)}${'[/list]'.repeat(10_000)}`],
    ['tables in tables', `${'[table][tr][td]z'.repeat(10_000)}${'[/td][/tr][/table]'.repeat(10_000)}`],
    ['hidden text in hidden text', `${'[hide]z'.repeat(10_000)}${'[/hide]'.repeat(10_000)}`],
    ['marks in marks', `${'[b][i][url=https://a.org]z'.repeat(10_000)}${'[/url][/i][/b]'.repeat(10_000)}`],
    ['marks across quotes', '[b][quote]z[/b][/quote]'.repeat(10_000)],
  ])('%s are within the depth of documents', (_, message) => {
    const document = read(message)
    expect(depthOf(document)).toBeLessThanOrEqual(20)
    expect(toText(document).match(/z/g)?.length ?? 0).toBe(message.match(/z/g)?.length ?? 0)
  })

  test('five million characters are read to the last', () => {
    const text = 'tea [b]and[/b] :)\n[quote]milk[/quote] '
    expect(toText(read(`${text.repeat(130_000)}last`)).endsWith('last')).toBe(true)
    expect(toText(read(`${'[hide]a[/hide]b'.repeat(340_000)}last`)).includes('last')).toBe(true)
    expect(toText(read(`[table]${'a|b\n'.repeat(300_000)}last[/table]`)).endsWith('last')).toBe(true)
  })
})
