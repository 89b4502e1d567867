import { describe, expect, test } from 'vitest'
import { hasShape } from '#base/rich-text/check-document.ts'
import type { Block, Cell, Inline } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import {
  blocksOf,
  documentOf,
  inlinesOf,
  marked,
  paragraphOf,
  type Piece,
  standalonesOf,
  textPieces,
} from '#importer/server/body/pieces.ts'
import { tablesOf } from '#importer/server/body/table.ts'

const text = (text: string): Inline => ({ type: 'text', text })
const saying = (words: string): Block => ({ type: 'paragraph', content: [text(words)] })
const hardBreak = { type: 'hardBreak' } as const
const file: Block = { type: 'file', attrs: { file: 'import:file/1', name: 'a.png', bytes: 1 } }
const cell = (...content: Inline[]): Cell => ({ type: 'tableCell', attrs: { align: null }, content: [{ type: 'paragraph', content }] })

describe('blocks of pieces', () => {
  test('an empty line ends a paragraph, as does a line of blanks', () => {
    expect(blocksOf(textPieces('a\nb\n\nc\r\n \t\r\nd'))).toEqual([
      { type: 'paragraph', content: [text('a'), hardBreak, text('b')] },
      saying('c'),
      saying('d'),
    ])
  })

  test('breaks and blanks at the edges of a paragraph are gone', () => {
    expect(blocksOf([text(' '), hardBreak, text('a'), hardBreak, text(' '), file, text('\n'), hardBreak])).toEqual([saying('a'), file])
  })

  test('blanks in code are text', () => {
    const code: Inline = { type: 'text', text: '  ', marks: [{ type: 'code' }] }
    expect(blocksOf([code])).toEqual([{ type: 'paragraph', content: [code] }])
  })
})

describe('pieces in a place for text alone', () => {
  const pieces: Piece[] = [text('a'), saying('b'), file, { type: 'blockquote', content: [saying('c'), file] }, text('d')]

  test('the text of blocks stands on lines, and pictures and files are told apart', () => {
    expect(paragraphOf(pieces).content?.filter(({ type }) => type === 'text')).toEqual([text('a'), text('b'), text('c'), text('d')])
    expect(standalonesOf(pieces)).toEqual([file, file])
  })

  test('the lines of code stay lines', () => {
    expect(inlinesOf([{ type: 'codeBlock', attrs: { language: 'markup' }, content: [{ type: 'text', text: 'a\nb' }] }])).toEqual([
      text('a'),
      hardBreak,
      text('b'),
      hardBreak,
    ])
  })

  test('two hundred thousand lines are one paragraph', () => {
    const quote: Block = { type: 'blockquote', content: [{ type: 'paragraph', content: textPieces('a\n'.repeat(200_000)) }] }
    expect(inlinesOf([quote]).filter(({ type }) => type === 'text')).toHaveLength(200_000)
  })
})

test('a mark reaches into quotes, but not into blocks of code, and an inner link stays', () => {
  const code: Block = { type: 'codeBlock', attrs: { language: 'markup' }, content: [{ type: 'text', text: 'x' }] }
  const inner: Inline = { type: 'text', text: 'b', marks: [{ type: 'link', attrs: { href: '/inner' } }] }
  const link = { type: 'link', attrs: { href: '/outer' } } as const
  expect(marked([{ type: 'blockquote', content: [saying('a')] }, inner, code], link)).toEqual([
    { type: 'blockquote', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [link] }] }] },
    inner,
    code,
  ])
})

describe('a document of pieces', () => {
  const nested = (levels: number, around: (inner: Block) => Block, inner: Block): Block =>
    levels === 0 ? inner : around(nested(levels - 1, around, inner))
  const quote = (inner: Block): Block => ({ type: 'blockquote', content: [saying('level'), inner] })
  const list = (inner: Block): Block => ({ type: 'bulletList', content: [{ type: 'listItem', content: [saying('level'), inner] }] })

  test.each([
    ['quotes', quote],
    ['lists', list],
  ])('%s that are nested too deeply are flat from there, with tables and files in them', (_, around) => {
    const [table] = tablesOf([[cell(text('one')), cell(text('two'))]])
    for (const inner of [saying('last'), file, table ?? file]) {
      for (let levels = 5; levels < 50; levels++) {
        const document = documentOf([nested(levels, around, inner)])
        expect(
          toText(document)
            .split('\n')
            .filter((line) => line === 'level'),
        ).toHaveLength(levels)
        expect(
          toText(document)
            .replaceAll(/\s+/g, ' ')
            .endsWith(`level ${toText({ type: 'doc', content: [inner] }).replaceAll('\n', ' ')}`),
        ).toBe(true)
        expect(hasShape(JSON.parse(JSON.stringify(document).replaceAll('import:file/', 'f')))).toBe(true)
      }
    }
  })
})

describe('tables', () => {
  test('a long table becomes several, and a wide one paragraphs', () => {
    const rows = Array.from({ length: 450 }, (_, at) => [cell(text(String(at)))])
    expect(tablesOf(rows).map((table) => (table.type === 'table' ? table.content.length : 0))).toEqual([200, 200, 50])
    const wide = Array.from({ length: 31 }, () => cell(text('x')))
    expect(tablesOf([wide, [cell(text('y'))]])).toMatchObject([{ type: 'paragraph' }, saying('y')])
    expect(toText(documentOf(tablesOf([wide]))).split(' ')).toHaveLength(31)
  })

  test('rows without cells are no rows', () => {
    expect(tablesOf([[], []])).toEqual([])
  })
})
