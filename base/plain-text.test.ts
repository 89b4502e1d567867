import { describe, expect, test } from 'vitest'
import { hasStackedMarks, hasVisibleText, plainString, plainLine, plainText } from '#base/plain-text.ts'

const invisible = {
  'spaces of every width': ' \t\u00a0\u2003\u3000',
  'a Hangul filler': '\u3164\uffa0\u115f\u1160',
  'Braille without a dot': '\u2800\u2800',
  'a note without a head': '\u{1d159}',
  'spaces without width': '\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e',
  'letters of tags': '\u{e0041}\u{e0042}',
  'variations of nothing': '\ufe0f\ufe00\u{e0100}\u180b',
  'accents without a letter': '\u0301\u0302\u0489',
  'what turns text around': '\u202e\u2066\u200f',
  'the place of an object': '\ufffc\ufffc',
  'what each font has for itself': '\ue000\u{f0000}',
}

test.each(Object.entries(invisible))('%s show nothing', (_, text) => {
  expect(hasVisibleText(text)).toBe(false)
  expect([plainString, plainLine].map((schema) => schema.min(1).safeParse(text).success)).toEqual([false, false])
})

const whole = {
  'a family of emoji': '👩‍👩‍👧',
  'a flag of tags': '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'a heart and a key with their variations': '❤️ 1️⃣',
  'Persian with its joiner': 'می‌خواهم',
  'Hindi with its joiner': 'क्‍ष क्‌ष',
  'a variation of a Chinese character': '葛\u{e0100}城',
  'a stack of Tibetan': 'རྒྱུད་བསྒྲུབས',
  'Hebrew with vowels and accents': 'בְּרֵאשִׁ֖ית',
  Thai: 'น้ำชาที่ดี',
  Vietnamese: 'trà Việt',
  Korean: '차 한 잔',
}

test.each(Object.entries(whole))('%s stays as it is', (_, text) => {
  expect(hasVisibleText(text)).toBe(true)
  expect(plainString.parse(text)).toBe(text.normalize('NFC'))
  expect(text.length - plainText(text).length).toBeLessThanOrEqual(text.length - text.normalize('NFC').length)
  expect([...plainString.parse(text)].filter((one) => /[\p{Cf}\ufe0f\u{e0100}]/u.test(one))).toEqual(
    [...text].filter((one) => /[\p{Cf}\ufe0f\u{e0100}]/u.test(one)),
  )
})

describe('marks', () => {
  const heaped = (count: number) => `t${'\u0300\u0316'.repeat(count / 2)}ea`

  test('that are heaped on one letter are refused in words', () => {
    expect([hasStackedMarks(heaped(10)), hasStackedMarks(heaped(12))]).toEqual([false, true])
    expect(hasStackedMarks(`t${'\u0300\u200d'.repeat(20)}`)).toBe(true)
    const { error } = plainString.min(1).safeParse(heaped(50_000))
    expect(error?.issues).toMatchObject([{ code: 'custom', params: { code: 'validation.marks' } }])
  })

  test('are one with their letter where there is a letter of that kind', () => {
    expect(plainLine.parse(' the\u0301\n  a\u0308 ')).toBe('th\u00e9 \u00e4')
  })
})
