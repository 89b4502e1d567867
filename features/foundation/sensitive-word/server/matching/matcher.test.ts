import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { isLinear } from '#base/testing/steps.ts'
import { evasions, harmless, listed } from '#sensitive-word/testing/matching.ts'
import { find, compile, keyOf } from '#sensitive-word/server/matching/matcher.ts'
import { regionalForms } from '#sensitive-word/server/matching/regional-forms.ts'

const compiled = compile(listed)
const wordsIn = (text: string, words = listed, by = compiled) => [...new Set(find(by, text).map(({ word }) => words[word]))]
const hits = (words: string[], text: string) => find(compile(words), text).map(({ from, to }) => text.slice(from, to))

test('nineteen in twenty evasions are detected', () => {
  const missed = evasions.filter(([text, word]) => !wordsIn(text).includes(word))
  expect(evasions.length).toBeGreaterThanOrEqual(100)
  expect(missed.length / evasions.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.05)
})

test.each(harmless)('%s means no harm', (text) => {
  expect(wordsIn(text)).toEqual([])
})

test('invisible characters between two letters hide no word, however many there are', () => {
  expect(hits(['赌博'], `一起赌${'\u200b'.repeat(500)}博`)).toHaveLength(1)
  expect(hits(['赌博'], `一起赌${'\u3164\u115f\ufe0f\u{e0041}\u0301'.repeat(50)}博`)).toHaveLength(1)
  expect(hits(['赌博'], `一起赌${'\u2800'.repeat(5)}博`)).toHaveLength(1)
})

test.each(['!', 'a!', '!|', 'a@', '赌', '赌\u200b', ' ', 'f.u'])('%j again and again is searched in one walk', async (piece) => {
  expect(await isLinear((length) => () => find(compiled, `a${repeated(piece, length)}`))).toBe(true)
})

describe('a match', () => {
  test('is at its place in the original text', () => {
    expect(hits(['fuck'], 'What the Ｆ.ｕ.ｃ.ｋ!')).toEqual(['Ｆ.ｕ.ｃ.ｋ'])
    expect(hits(['法轮功'], '说法\u200b輪*功的事')).toEqual(['法\u200b輪*功'])
    expect(hits(['ass'], '😀 a$$ 😀')).toEqual(['a$$'])
  })

  test('is every word, also one inside another and the same twice', () => {
    expect(hits(['赌', '赌博'], '赌博，赌博')).toEqual(['赌', '赌博', '赌', '赌博'])
  })

  test('keeps the spaces that the word has itself', () => {
    expect(hits(['buy now'], 'Buy now, or buynow, or BUY-NOW')).toEqual(['Buy now', 'buynow', 'BUY-NOW'])
    expect(hits(['buy now'], 'Buy nowhere')).toEqual([])
  })

  test('is the word with the signs that make it, and not its letters alone', () => {
    expect(hits(['C++'], 'c, C, C++, Ｃ＋＋, c+, C+++, C++11 and vc++')).toEqual(['C++', 'Ｃ＋＋', 'C++'])
    expect(hits(['.NET'], 'The net, .net, ．NET, asp.net, ...net')).toEqual(['.net', '．NET', '.net'])
    expect(hits(['C#'], 'c, C# and C #1')).toEqual(['C#'])
    expect(hits(['AT&T'], 'att, AT&T, at & t')).toEqual(['AT&T', 'at & t'])
    expect(hits(['a$$'], 'a, ass, a$$')).toEqual(['a$$'])
    expect(hits(['100%'], '100, 100% 100％')).toEqual(['100%', '100％'])
    expect(hits(['f.u.c.k', '「赌博」', '加微信：'], 'fuck 赌博 加微信')).toEqual(['fuck', '赌博', '加微信'])
  })

  test.each(['C\u200b++', 'C+\u200b+', 'C\ufe0f++', 'C ++', 'C  + +', 'C➕\ufe0f+', 'C😀++', 'C(++)', 'C\n+\n+'])(
    'is C++ in %j',
    (text) => {
      expect(hits(['C++'], `I write ${text}`)).toHaveLength(1)
      expect(hits(['C++'], `I write ${text} now`)).toHaveLength(1)
    },
  )

  test('the match of a word with punctuation spans the gaps before and within its signs', () => {
    expect(hits(['.NET'], '.\u200bNET, .N\u200bET')).toEqual(['.\u200bNET', '.N\u200bET'])
    expect(hits(['100%'], '100\u200b% sure, 100 % sure, 100\u2060 \u2060％')).toEqual(['100\u200b%', '100 %', '100\u2060 \u2060％'])
    expect(hits(['+薇'], '加我+\u200b薇，+ 薇，V + 薇')).toEqual(['+\u200b薇', '+ 薇', '+ 薇'])
    expect(hits(['AT&T', 'C#'], 'AT\u200b&\u200bT, C♯')).toEqual(['AT\u200b&\u200bT', 'C♯'])
    expect(hits(['.\u200bNET', 'C ++'], '.NET, C++')).toEqual(['.NET', 'C++'])
  })

  test('is no word whose signs belong to another word, join two or are beyond a sentence', () => {
    expect(hits(['C++'], 'c, C, C+\u200b++, C ++i, C. He wrote ++, C\n++, C, ++')).toEqual([])
    expect(hits(['C+', 'C#', 'C&'], 'C ++, C + D, C #1, C & A, C\n+')).toEqual([])
    expect(hits(['.NET'], 'The end. Net income, . net, .\u200b.net, end.\n\nNet')).toEqual([])
    expect(hits(['+薇'], '薇，A+ 薇，C++ 薇，++薇')).toEqual([])
    expect(hits(['100%'], `100 ${'-'.repeat(20)} %, 100, %`)).toEqual([])
  })

  test('is the same in traditional characters and in the variants of Taiwan and Hong Kong', () => {
    expect(hits(['化妆'], '化妝與化粧')).toEqual(['化妝', '化粧'])
    expect(hits(['卫生巾'], '衞生巾、衛生巾')).toEqual(['衞生巾', '衛生巾'])
    expect(hits(['看著'], '看着')).toEqual(['看着'])
    expect(hits(['显著'], '显著，顯著')).toEqual(['显著', '顯著'])
  })

  test.each([
    ['大炮', '大砲', '大礮', '大礟'],
    ['奶茶', '嬭茶'],
    ['国家', '囯家', '國家', '圀家'],
    ['买卖', '買賣', '买売'],
    ['开发票', '開發票', '開発票'],
    ['门户', '门戸', '⻔戶'],
    ['恐龙', '恐竜', '恐龍', '恐⻰', '恐⻯', '恐⿓'],
    ['老鼠', '⽼⿏'],
    ['马克思', '⻢克思'],
    ['经济', '経済'],
  ])('is %s in the forms of other regions, in rare ones and as radicals', (word, ...forms) => {
    for (const form of forms) expect(hits([word], `说${form}的事`), form).toEqual([form])
    for (const form of forms) expect(hits([form], `说${word}的事`), form).toEqual([word])
  })

  test('is no word that looks like one in Japan: 芸 and 浜 are Chinese, too', () => {
    expect(hits(['文艺', '海滨', '缺钱'], '文芸、海浜、欠钱')).toEqual([])
  })

  test('is empty without words, or with words without letters', () => {
    expect(hits([], 'anything')).toEqual([])
    expect(hits(['***', ' '], '*** anything')).toEqual([])
  })
})

test('words that differ by their signs are different words', () => {
  expect(new Set(['C', 'C++', 'C#', '.C', 'c%'].map(keyOf)).size).toBe(5)
  expect(keyOf('Ｃ＋＋')).toBe(keyOf('c++'))
  expect(keyOf('f.u.c.k')).toBe(keyOf('fuck'))
  expect(keyOf('+++')).toBe('')
})

test('every radical is a character, and every regional form has one usual form', () => {
  const codes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
  const all = [...codes(0x2e80, 0x2eff), ...codes(0x2f00, 0x2fdf)].filter((one) => /\p{Script=Han}/u.test(one) && one !== '⺀')
  expect(all.filter((one) => !/^[㐀-鿿]$/.test(keyOf(one)))).toEqual([])
  for (const [form, usual] of regionalForms) expect(keyOf(form), form).toBe(keyOf(usual))
})

const han = fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCodePoint(code))
const hanWord = fc.array(han, { minLength: 2, maxLength: 6 }).map((letters) => letters.join(''))
const latinWord = fc.stringMatching(/^[b-z]{3,8}$/)
const between = fc.constantFrom('', '\u200b', '\u200d', '.', '*', '_', '-', '~', '\u00ad')
const surrounding = fc.constantFrom('', '，', ' ', '。', '😀', '\n')

test('a Chinese word is found with any text before it, after it and any marks among its letters', () => {
  fc.assert(
    fc.property(hanWord, fc.string(), fc.string(), fc.array(between, { minLength: 6, maxLength: 6 }), (word, before, after, marks) => {
      const dressed = [...word].map((letter, at) => letter + (at < word.length - 1 ? marks[at] : '')).join('')
      return hits([word], `${before}${dressed}${after}`).includes(dressed)
    }),
  )
})

test('a Latin word is found alone, in any width and case, and not inside another', () => {
  const wide = (text: string) => [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
  fc.assert(
    fc.property(latinWord, surrounding, surrounding, (word, before, after) => {
      for (const as of [word, word.toUpperCase(), wide(word)]) expect(hits([word], `${before}${as}${after}`)).toEqual([as])
      expect(hits([word], `${before}a${word}a${after}`)).toEqual([])
    }),
  )
})

const ignorable = Array.from({ length: 0xe1000 }, (_, code) => (code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code))).filter(
  (one) => /^\p{Default_Ignorable_Code_Point}$/u.test(one),
)
const signed = fc
  .tuple(
    fc.stringMatching(/^[+#&%@$€£¥]{0,2}$/),
    fc.oneof(latinWord, hanWord, fc.stringMatching(/^[1-9c]{1,3}$/)),
    fc.stringMatching(/^[+#&%]{0,3}$/),
  )
  .map((parts) => parts.join(''))

test('invisible characters between any two characters of a word hide no word', () => {
  const ofSorts = fc.oneof(signed, fc.constantFrom(...listed, 'C++', 'C#', '.NET', '100%', '+薇', 'AT&T', 'a$$', 'C++11', '5h!7'))
  fc.assert(
    fc.property(ofSorts, fc.constantFrom(...ignorable), fc.nat(), surrounding, (word, unseen, place, beside) => {
      const characters = [...word]
      fc.pre(characters.length > 1)
      const at = 1 + (place % (characters.length - 1))
      const dressed = characters.slice(0, at).join('') + unseen + characters.slice(at).join('')
      for (const one of [dressed, characters.join(unseen)]) expect(hits([word], `${beside}${one}${beside}`)).toContain(one)
    }),
    { numRuns: 1_000 },
  )
})

test('any text may be searched, and matches lie in it, in order of their ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.string({ unit: 'binary', maxLength: 5 })), (text, words) => {
      for (const { from, to, word } of find(compile(words), text)) {
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(text.length)
        expect(words[word]).toBeDefined()
      }
    }),
  )
})

test('many words at once match like each alone', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[赌博毒品法轮]{1,4}$/), { minLength: 1, maxLength: 12 }),
      fc.stringMatching(/^[赌博毒品法轮]{0,40}$/),
      (words, text) => {
        const together = find(compile(words), text).map(({ word, from, to }) => `${words[word]} ${from} ${to}`)
        const alone = words.flatMap((word) => find(compile([word]), text).map(({ from, to }) => `${word} ${from} ${to}`))
        expect(together.sort()).toEqual(alone.sort())
      },
    ),
  )
})
