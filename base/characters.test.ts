import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstCharacters, countCharacters, truncate, hasAtLeast, hasAtMost } from '#base/characters.ts'
import { runs } from '#base/testing/extent.ts'
import { hostileInputs } from '#base/testing/hostile-inputs.ts'
import { isLinear, countingSteps } from '#base/testing/steps.ts'

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
  expect([countCharacters(title), hasAtMost(title, 81), hasAtMost(title, 80)]).toEqual([81, true, false])
})

describe('in any text', () => {
  test('the characters are counted as people see them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countCharacters(text)).toBe(segments(text).length)
      }),
      { numRuns: runs(5000) },
    )
  })

  test('the beginning is whole, and no longer than it may be', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 8 }), (text, most) => {
        expect(hasAtMost(text, most)).toBe(segments(text).length <= most && (text.length <= most || text.length <= most * 16))
        const whole = text.length <= most * 16 ? text : ''
        expect(firstCharacters(whole, most)).toBe(segments(whole).slice(0, most).join(''))
        expect(hasAtMost(truncate(text, most), most)).toBe(true)
        expect(text.startsWith(truncate(text, most).replace(/…$/, '')) || text === truncate(text, most)).toBe(true)
      }),
      { numRuns: runs(3000) },
    )
  })
})

test('a heap of joiners is not one character without end', () => {
  const heap = Array.from({ length: 500 }, () => '👩').join('\u200d')
  expect([countCharacters(heap), hasAtMost(heap, 90), hasAtMost(truncate(heap, 90), 90)]).toEqual([1, false, true])
})

test('checking a minimum length reads no more of a text than needed', async () => {
  const long = 'b\u0301c'.repeat(500_000)
  expect([hasAtLeast(long, 2), hasAtLeast('é', 2), hasAtLeast(family, 2), hasAtLeast(`${family}茶`, 2)]).toEqual([true, false, false, true])
  expect(await countingSteps((stepsOf) => stepsOf(() => hasAtLeast(long, 2)))).toBeLessThan(2_000)
})

test.each(hostileInputs)('%s costs no more than its length', async (_, grow) => {
  expect(
    await isLinear((length) => {
      const text = grow(length)
      return () => [countCharacters(text), hasAtMost(text, length - 1), truncate(text, 180)]
    }),
  ).toBe(true)
})
