import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { decodeCp1252, encodeCp1252 } from '#importer/server/tables/cp1252.ts'
import { decoderFor } from '#importer/server/tables/decode.ts'

const chinese = [
  '第一帖',
  '大家好，欢迎来到茶馆',
  '红茶 & green tea',
  '😀 今天的天气',
  'Ann 发表于 2026-11-29',
  '请问怎么泡乌龙茶？',
  'hello',
  '臺灣論壇的文章',
]
const western = [
  'Café au lait',
  'Größe und Maß',
  'déjà vu à la crème',
  'Smörgåsbord',
  'plain',
  '“quoted” – señor',
  'Überraschung für Mädchen',
  '€ 5',
]

const utf8 = (text: string) => Buffer.from(text)
const gbk = (text: string) => iconv.encode(text, 'gbk')
/** As MySQL converts a column that it believes to be latin1. */
const doubled = (bytes: Buffer) => Buffer.from(decodeCp1252(bytes))
const cp1252 = (text: string) => encodeCp1252(text) ?? Buffer.from('')

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
)
const gbkText = fc
  .array(fc.oneof(fc.constantFrom(...chinese.join('').replaceAll('😀', '')), fc.constantFrom('乗', '鑼', '€', '〖', 'a', '\n')))
  .map((letters) => letters.join(''))
  .filter((text) => iconv.decode(gbk(text), 'gbk') === text)
const cp1252Text = fc
  .uint8Array()
  .map((bytes) => decodeCp1252(Buffer.from(bytes)))
  .filter((text) => Buffer.from(cp1252(text)).toString().includes('\uFFFD'))

const gbkSample = chinese.filter((text) => !text.includes('😀'))

describe('any text comes back', () => {
  test.each([
    ['UTF-8 in a column of utf8mb4', 'utf8', 'utf8mb4', utf8, chinese, anyText],
    ['UTF-8 in a column of latin1', 'utf8', 'latin1', utf8, chinese, anyText],
    ['UTF-8 of the West in a column of latin1', 'utf8', 'latin1', utf8, western, anyText],
    ['UTF-8 that was converted from latin1', 'utf8 in latin1', 'utf8', (text: string) => doubled(utf8(text)), chinese, anyText],
    ['UTF-8 of the West that was converted', 'utf8 in latin1', 'utf8', (text: string) => doubled(utf8(text)), western, anyText],
    [
      'UTF-8 converted by real Latin-1',
      'utf8 in latin1',
      'utf8',
      (text: string) => Buffer.from(utf8(text).toString('latin1')),
      chinese,
      anyText,
    ],
    ['GBK in a column of gbk', 'gbk', 'gbk', gbk, gbkSample, gbkText],
    ['GBK in a column of latin1', 'gbk', 'latin1', gbk, gbkSample, gbkText],
    ['GBK in a column of utf8', 'gbk', 'utf8', gbk, gbkSample, gbkText],
    ['GBK that was converted from latin1', 'gbk in latin1', 'utf8', (text: string) => doubled(gbk(text)), gbkSample, gbkText],
    ['Latin-1', 'latin1', 'latin1', cp1252, western, cp1252Text],
    ['Latin-1 in a column of utf8', 'latin1', 'utf8', cp1252, western, cp1252Text],
  ] as const)('of %s', (...[, name, declared, mistake, sample, texts]) => {
    const decoder = decoderFor(sample.map(mistake), declared)
    expect(decoder.name).toBe(name)
    for (const text of sample) expect(decoder.decode(mistake(text))).toBe(text)
    const comesBack = fc.property(texts, (text) => {
      expect(decoder.decode(mistake(text))).toBe(text)
    })
    fc.assert(comesBack, { numRuns: runs(10_000) })
    expect(decoder.replaced()).toBe(0)
  })

  test('of Big5 and of GB 18030, where the column says so', () => {
    for (const charset of ['big5', 'gb18030'] as const) {
      const texts = ['臺灣論壇的文章', '許功蓋', '茶', 'tea']
      const decoder = decoderFor(
        texts.map((text) => iconv.encode(text, charset)),
        charset,
      )
      for (const text of texts) expect(decoder.decode(iconv.encode(text, charset))).toBe(text)
    }
    expect(decoderFor([iconv.encode('😀茶', 'gb18030')], 'gb18030').decode(iconv.encode('😀', 'gb18030'))).toBe('😀')
  })
})

describe('a column', () => {
  test('of texts of two encodings has each read by its own', () => {
    const mixed: (readonly [string, Buffer])[] = [
      ...chinese.map((text) => [text, utf8(text)] as const),
      ...chinese.map((text) => [text, doubled(utf8(text))] as const),
      ...gbkSample.slice(0, 3).map((text) => [text, gbk(text)] as const),
    ]
    const decoder = decoderFor(
      mixed.map(([, bytes]) => bytes),
      'utf8',
    )
    for (const [text, bytes] of mixed) expect(decoder.decode(bytes)).toBe(text)
  })

  test('of one encoding reads a single text of another', () => {
    expect(decoderFor(gbkSample.map(gbk), 'gbk').decode(utf8('欢迎来到茶馆，你好'))).toBe('欢迎来到茶馆，你好')
    expect(decoderFor(chinese.map(utf8), 'utf8').decode(gbk('红茶'))).toBe('红茶')
    expect(decoderFor(chinese.map(utf8), 'utf8').decode(cp1252('Café'))).toBe('Café')
    expect(decoderFor(western.map(cp1252), 'latin1').decode(utf8('红茶'))).toBe('红茶')
    expect(
      decoderFor(
        chinese.map((text) => doubled(utf8(text))),
        'utf8',
      ).decode(utf8('红茶')),
    ).toBe('红茶')
  })

  test('without a sample is read as it is declared', () => {
    expect(decoderFor([], 'gbk').name).toBe('gbk')
    expect(decoderFor([], 'utf8mb3').name).toBe('utf8')
    expect(decoderFor([], null).decode(utf8('茶'))).toBe('茶')
    const latin1 = decoderFor([Buffer.from('ascii')], 'latin1')
    expect(latin1.name).toBe('latin1')
    expect([latin1.decode(utf8('茶')), latin1.decode(cp1252('Café'))]).toEqual(['茶', 'Café'])
  })
})

test('a text that is cut in a character keeps the rest, and the loss is counted', () => {
  const decoders = [
    [decoderFor(chinese.map(utf8), 'utf8'), utf8],
    [decoderFor(gbkSample.map(gbk), 'gbk'), gbk],
    [
      decoderFor(
        chinese.map((text) => doubled(utf8(text))),
        'utf8',
      ),
      utf8,
    ],
  ] as const
  for (const [at, [decoder, encode]] of decoders.entries()) {
    const cut = encode('大家好，欢迎').subarray(0, -1)
    expect(decoder.decode(at === 2 ? doubled(cut) : cut)).toBe('大家好，欢\uFFFD')
    expect(decoder.replaced()).toBe(1)
  }
})

test('a character of replacement that was typed is no loss', () => {
  const decoder = decoderFor(chinese.map(utf8), 'utf8')
  expect(decoder.decode(utf8('a\uFFFD'))).toBe('a\uFFFD')
  expect(decoder.replaced()).toBe(0)
})
