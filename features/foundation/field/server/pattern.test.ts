import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countingSteps } from '#base/testing/steps.ts'
import { runs } from '#base/testing/extent.ts'
import { patternOf } from '#field/server/pattern.ts'

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

test('random patterns match like regular expressions', () => {
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
    { numRuns: runs(500) },
  )
})

// Repeated empty groups are no step of their own, and must not cost time either.
const hostile = ['(a+)+$', '(a|aa)+', '(.*)*', '.*.*.*.*.*.*x', '((a*)*)*b', '((){9}){9}', '(\\pL|a|.){200}']

test.each(hostile)('the pattern %j is done with a text in steps that grow as the text does', (source) =>
  countingSteps(async (stepsOf) => {
    const fits = patternOf(source)
    const steps = (length: number) => stepsOf(() => fits(`${'a'.repeat(length)}!`))
    await steps(1_000)
    const [few, many] = [await steps(500), await steps(2_000)]
    expect(many).toBeLessThan(6 * few + 1_000)
    expect(many).toBeLessThan(2_000 * 2_000)
  }),
)

test('a pattern is read once, however many answer', () => {
  expect(patternOf('[a-z]{2}')).toBe(patternOf('[a-z]{2}'))
})

test('letters of every script are known', () => {
  expect(['茶', 'é', 'a1'].map(patternOf('\\p{L}+'))).toEqual([true, true, false])
})

test.each(['(?=a)b', '(?<!a)b', '(?<=a)b', '(a)\\1', '[a-', '(a', 'a)', '*', 'a**', '[b-a]'])(
  'the pattern %j is refused, for it looks around or is not understood',
  (source) => expect(() => patternOf(source)).toThrow('form'),
)

test.each(['a{1001}', '((((){100}){100}){100}){100}', '((a{50}){50}){50}', '(a{40}|b{40}|c{40}){20}'])(
  'the pattern %j is refused, for it says too much',
  (source) => expect(() => patternOf(source)).toThrow('large'),
)
