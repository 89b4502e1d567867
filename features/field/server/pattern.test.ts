import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternOf, Unfit } from '#field/server/pattern.ts'

const samples = ['', 'a', 'ab', 'aab', 'abab', 'b', '7', '42', 'a7', '茶', 'a-b', '2024-05-01', '+86 139', ' ']

test.each([
  '',
  'a',
  'a*b',
  '(ab)+',
  'a|b',
  '(?:a|b){2,3}',
  '[a-c7]+',
  '[^a]*',
  '\\d{2}',
  '\\d{4}-\\d\\d-\\d\\d',
  '.?',
  '^ab$',
  '\\+?[\\d ]+',
  'a{2,}b?',
])('the pattern %j takes what a regular expression of the same text takes whole', (source) => {
  const [own, known] = [patternOf(source), new RegExp(`^(?:${source})$`)]
  expect(samples.filter(own)).toEqual(samples.filter((text) => known.test(text)))
})

test('patterns put together at random take what regular expressions take', () => {
  const piece = fc.constantFrom('a', 'b', '[ab]', '\\d', '(a|b)', '(?:ab)', '.')
  const times = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}')
  const source = fc
    .array(
      fc.tuple(piece, times).map((both) => both.join('')),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(''))
  const text = fc.stringMatching(/^[ab1]{0,8}$/)
  fc.assert(
    fc.property(source, text, (pattern, one) => patternOf(pattern)(one) === new RegExp(`^(?:${pattern})$`).test(one)),
    { numRuns: 500 },
  )
})

test.each(['(a+)+$', '(a|aa)+', '(.*)*', '.*.*.*.*.*.*x', '((a*)*)*b'])('the pattern %j is done with a long text at once', (source) => {
  const began = performance.now()
  patternOf(source)(`${'a'.repeat(2_000)}!`)
  expect(performance.now() - began).toBeLessThan(500)
})

test.each(['(?=a)b', '(?<!a)b', '(a)\\1', '\\bword', '[a-', 'a{2', '(a', 'a)', '*', '[[a]]', 'a**', '[b-a]', '\\p{L}', 'a{3,2}'])(
  'the pattern %j is refused, for it looks around or is not understood',
  (source) => expect(() => patternOf(source)).toThrow(Unfit),
)

test.each(['a{1000}', '((a{50}){50}){50}', '(a|b|c){100}(d|e|f){100}'])('the pattern %j is refused, for it says too much', (source) => {
  expect(() => patternOf(source)).toThrow('large')
})
