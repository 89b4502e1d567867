import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginningOf, countOf, cut, isAtLeast, isWithin } from '#base/characters.ts'
import { runs } from '#base/testing/extent.ts'
import { grownShapes } from '#base/testing/shapes.ts'
import { costsInProportion, countingSteps } from '#base/testing/steps.ts'

const family = '👨‍👩‍👧‍👦'
const piece = fc.oneof(
  fc.constantFrom(
    family,
    '茶',
    'é',
    'e\u0301',
    'क्ष',
    '🇨🇳',
    '👍🏽',
    '각',
    '\u1112\u1161\u11ab',
    'กำ',
    '\r\n',
    '\r',
    '\n',
    '☕\ufe0f',
    '1️⃣',
    '\u0600',
    '\u200d',
    'ﾊﾞ',
    '\u202e',
    'ab',
    ' ',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const segments = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

test('a title of eighty characters and a family is one of eighty-one', () => {
  const title = '茶'.repeat(80) + family
  expect([countOf(title), isWithin(title, 81), isWithin(title, 80)]).toEqual([81, true, false])
})

describe('of any text', () => {
  test('as many characters are counted as people see', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countOf(text)).toBe(segments(text).length)
      }),
      { numRuns: runs(5000) },
    )
  })

  test('the beginning is whole, and no longer than it may be', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 8 }), (text, most) => {
        expect(isWithin(text, most)).toBe(segments(text).length <= most && (text.length <= most || text.length <= most * 16))
        const whole = text.length <= most * 16 ? text : ''
        expect(beginningOf(whole, most)).toBe(segments(whole).slice(0, most).join(''))
        expect(isWithin(cut(text, most), most)).toBe(true)
        expect(text.startsWith(cut(text, most).replace(/…$/, '')) || text === cut(text, most)).toBe(true)
      }),
      { numRuns: runs(3000) },
    )
  })
})

test('a heap of joiners is not one character without end', () => {
  const heap = Array.from({ length: 500 }, () => '👩').join('\u200d')
  expect([countOf(heap), isWithin(heap, 90), isWithin(cut(heap, 90), 90)]).toEqual([1, false, true])
})

test('to see that a text is long enough, no more of it is looked at than that takes', async () => {
  const long = 'b\u0301c'.repeat(500_000)
  expect([isAtLeast(long, 2), isAtLeast('é', 2), isAtLeast(family, 2), isAtLeast(`${family}茶`, 2)]).toEqual([true, false, false, true])
  expect(await countingSteps((stepsOf) => stepsOf(() => isAtLeast(long, 2)))).toBeLessThan(2_000)
})

test.each(grownShapes)('%s costs no more than its length', (_, grow) => {
  expect(
    costsInProportion((length) => {
      const text = grow(length)
      return () => [countOf(text), isWithin(text, length - 1), cut(text, 180)]
    }),
  ).toBe(true)
})
