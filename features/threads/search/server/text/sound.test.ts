import { expect, test } from 'vitest'
import { countingSteps } from '#base/testing/steps.ts'
import { soundOf } from '#search/server/text/sound.ts'

test.each([
  ['longjing', 'pinyin'],
  ['xian', 'syllables'],
  ['tea', 'syllables'],
  ['lj', 'initials'],
  ['tj', 'initials'],
  ['strong', null],
  ['a', null],
])('%s is taken for %s', (word, sound) => {
  expect(soundOf(word)).toBe(sound)
})

test('a word that could be taken apart in countless ways is looked through once', () =>
  countingSteps(async (stepsOf) => {
    const stepsFor = (count: number) => stepsOf(() => soundOf(`${'iang'.repeat(count)}zz`))
    await stepsFor(2)
    const [few, many] = [await stepsFor(4), await stepsFor(16)]
    expect(many).toBeLessThan(6 * few + 1_000)
  }))
