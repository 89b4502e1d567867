import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import type { Doc, Node } from '#base/rich-text/document.ts'
import { hasShape } from '#base/rich-text/check-document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { runs } from '#base/testing/extent.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { countingSteps, isLinear } from '#base/testing/steps.ts'
import { emojiOf } from '#importer/server/body/emoji.ts'
import { documentFromPhpbb } from '#importer/server/body/phpbb-bbcode.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'
import { insertedRows } from '#importer/testing/insert-rows.ts'

const attachments = ['two', 'one'].map((name, at) => ({ id: String(2 - at), name: `file-${name}` }))
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')
const sorted = (list: readonly string[]) => [...list].sort()

function wordsOf(doc: Doc): string[] {
  return words(toText(doc))
}

describe('every word that a reader saw stands in the document exactly once', () => {
  const bodies = insertedRows(readFileSync(new URL('../../testing/rows/phpbb.sql', import.meta.url), 'utf8')).flatMap(({ table, row }) =>
    Object.entries(row).flatMap(([column, text]) => (text && /^<[rt]>/.test(text) ? [{ table, column, text }] : [])),
  )

  test('in the rows of phpBB', () => {
    expect(bodies.length).toBeGreaterThan(20)
    for (const { table, column, text } of bodies) {
      const { document } = documentFromPhpbb(text, { bbcodeUid: '', attachments })
      expect(wordsOf(document), `${table}.${column} ${text}`).toEqual(wordsSeen(text))
    }
  })

  test('in any tree of elements', () => {
    fc.assert(
      fc.property(tree, ({ xml, seen }) => {
        const { document } = documentFromS9e(`<r>${xml}</r>`, { attachments, hides: true })
        expect(sorted(wordsOf(document))).toEqual(sorted(seen))
        expect(hasShape(withOwnReferences(document))).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('in any tree that was cut off, as far as it reaches', () => {
    fc.assert(
      fc.property(tree, fc.nat(), ({ xml, seen }, at) => {
        const whole = `<r>${xml}</r>`
        const { document } = documentFromS9e(whole.slice(0, at % whole.length), { attachments })
        const shown = wordsOf(document)
        const read = seen.filter((word) => whole.slice(0, at % whole.length).includes(` ${escaped(word)} `))
        expect(read.filter((word) => shown.filter((one) => one === word).length !== 1)).toEqual([])
        // The last word may be a part of one, and a mark that was cut off is shown, as is the address of a link without its text.
        expect(shown.filter((word) => !seen.includes(word)).length).toBeLessThanOrEqual(2)
      }),
      { numRuns: runs(1000) },
    )
  })
})

// The writer replaces the other program's references.
function withOwnReferences(document: Doc): Doc {
  return JSON.parse(
    JSON.stringify(document)
      .replaceAll(/import:(?:file|member)\//g, '1')
      .replaceAll('"./', '"/'),
  ) as Doc
}

/** What a page shows of a body, as another parser reads it. Quotes begin with their author, a smiley is its emoji. */
function wordsSeen(xml: string): string[] {
  let text = ''
  const open: string[] = []
  const isHidden = () => open.some((name) => ['s', 'e', 'i', 'ATTACHMENT', 'LINK_TEXT'].includes(name))
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (['QUOTE', 'LI', 'CODE', 'LIST'].includes(name)) text += ' '
        if (name === 'QUOTE' && attributes['author']) text += `${attributes['author']}: `
        if (name === 'ATTACHMENT') text += ` ${attachments[Number(attributes['index'])]?.name} `
        if (name === 'LINK_TEXT') text += attributes['text']
        open.push(name)
      },
      ontext(part) {
        if (!isHidden()) text += open.at(-1) === 'E' ? (emojiOf(part) ?? part) : part
      },
      onclosetag(name) {
        open.pop()
        if (['QUOTE', 'LI', 'CODE', 'LIST'].includes(name)) text += ' '
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return words(text)
}

type Tree = { xml: string; seen: string[] }

let count = 0
const word = fc.constantFrom('tea', '茶', 'a&b', '<x>', '😀', '&amp;', '"').map((text): Tree => {
  const one = `${text}${++count}`
  return { xml: ` ${escaped(one)} `, seen: [one] }
})
const nothing: Tree = { xml: '', seen: [] }
const blank = fc
  .constantFrom('<br/>\n', '\n', '<i>&gt; </i>', '<HR>---</HR>', '<X/>', '<s>[x]</s>')
  .map((xml): Tree => ({ ...nothing, xml }))
const attachment = fc.constantFrom(0, 1).map((index): Tree => ({
  xml: `<ATTACHMENT index="${index}"><s>[attachment=${index}]</s>lie<e>[/attachment]</e></ATTACHMENT>`,
  seen: [attachments[index]?.name ?? ''],
}))
const mention = fc
  .nat(99)
  .map((id): Tree => ({ xml: ` <USERMENTION id="${id}" displayname="m${id}">@"m"#${id}</USERMENTION> `, seen: [`@m${id}`] }))
const names = 'B I U S STRONG EM DEL COLOR C CODE QUOTE LIST LI p H1 H4 TABLE THEAD TR TD TH CENTER SPOILER HIDE ESC UNKNOWN'.split(' ')
const { tree } = fc.letrec<{ tree: Tree; element: Tree; link: Tree; quote: Tree }>((tie) => ({
  tree: fc
    .array(fc.oneof({ depthSize: 'large' }, word, word, blank, attachment, mention, tie('element'), tie('link'), tie('quote')), {
      maxLength: 5,
    })
    .map(joined),
  element: fc.tuple(fc.constantFrom(...names), tie('tree')).map(([name, inner]): Tree => {
    // Code shows the text of other elements.
    const { xml, seen } = name === 'C' || name === 'CODE' ? codeOf(++count) : inner
    return { xml: ` <${name}><s>[${name}]</s>${xml}<e>[/${name}]</e></${name}> `, seen }
  }),
  link: word.map(({ xml, seen }): Tree => ({ xml: `<URL url="https://a.org/"><s>[url]</s>${xml}<e>[/url]</e></URL>`, seen })),
  quote: fc.tuple(word, tie('tree')).map(([author, inner]): Tree => ({
    xml: `<QUOTE author="${author.xml.trim()}" post_id="5"><s>[quote]</s>${inner.xml}<e>[/quote]</e></QUOTE>`,
    seen: [`${author.seen[0]}:`, ...inner.seen],
  })),
}))

function codeOf(number: number): Tree {
  return { xml: ` code${number} `, seen: [`code${number}`] }
}

function joined(trees: readonly Tree[]): Tree {
  return { xml: trees.map(({ xml }) => xml).join(''), seen: trees.flatMap(({ seen }) => seen) }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function depthOf(node: Node): number {
  return node.content ? 1 + Math.max(0, ...node.content.map(depthOf)) : 0
}

const pairs: readonly (readonly [string, string])[] = [
  ['<B><s>[b]</s>a ', '<e>[/b]</e></B>'],
  ['<QUOTE author="x">a ', 'b</QUOTE>'],
  ['<LIST><LI>a ', '</LI></LIST>'],
  ['<URL url="https://a.org/">a ', '</URL>'],
  ['<TABLE><TR><TD>a ', '</TD></TR></TABLE>'],
  ['<FOO>a<br/>\n', '</FOO>'],
  ['<s>', '</s>'],
  ['<CODE>a ', '</CODE>'],
]

describe('the cost of a body grows no faster than its length', () => {
  const nested = ([begin, end]: readonly [string, string], levels: number) => `<r>${begin.repeat(levels)}${end.repeat(levels)}</r>`
  const beside = ([begin, end]: readonly [string, string], length: number) => `<r>${repeated(begin + end, length).replace(/<[^>]*$/, '')}`

  test.each(pairs)('10,000 of %s%s are within the depth of documents', async (begin, end) => {
    const { document } = documentFromS9e(nested([begin, end], 10_000))
    expect(depthOf(document)).toBeLessThanOrEqual(20)
    expect(wordsOf(document).join('').replaceAll(/[^a]/g, '').length).toBe(begin.includes('a ') || begin.includes('a<') ? 10_000 : 0)
    expect(await isLinear((length) => () => documentFromS9e(nested([begin, end], length)))).toBe(true)
  })

  test.each(pairs)('many of %s%s in a row', async (begin, end) => {
    await countingSteps(async (stepsOf) => {
      const [few, many] = [
        await stepsOf(() => documentFromS9e(beside([begin, end], 5_000))),
        await stepsOf(() => documentFromS9e(beside([begin, end], 20_000))),
      ]
      expect(many).toBeLessThan(6 * few)
    })
  })

  const broken = ['<', '< ', '<a', '<a b="', '</', '</a>', '<!--', '<![CDATA[', '&', '&#12', '&x;', ']]>', '<a b=c>', '<B>a</I>', '<?a']

  test.each(broken)('broken XML of %j', async (piece) => {
    expect(await isLinear((length) => () => documentFromS9e(`<r>${repeated(piece, length)}`))).toBe(true)
  })

  test('five million characters are read to the last', () => {
    const text = 'tea <B>and</B> <E>:)</E><br/>\n'
    const { document } = documentFromS9e(`<r>${repeated(text, 170_000 * text.length)}last</r>`)
    expect(toText(document).endsWith('last')).toBe(true)
    const cell = documentFromS9e(`<r><TABLE><TR><TD>${'a<br/>\n'.repeat(200_000)}last</TD></TR></TABLE></r>`)
    expect(toText(cell.document).endsWith('last')).toBe(true)
  })
})
