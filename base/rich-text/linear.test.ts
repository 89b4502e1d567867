import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { documentOf } from '#base/rich-text/check-document.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { lengthOf, summaryOf, toText } from '#base/rich-text/to-text.ts'
import { hostileInputs, hostilePiece, repeated } from '#base/testing/hostile-inputs.ts'
import { countingSteps, isLinear } from '#base/testing/steps.ts'
import { runs } from '#base/testing/extent.ts'

const saying = (text: string): Doc => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] })
const inCode = (text: string): Doc => ({
  type: 'doc',
  content: [{ type: 'codeBlock', attrs: { language: 'markup' }, content: [{ type: 'text', text }] }],
})
const nowhere = { picture: () => null, mention: () => null }
const schema = documentOf({ maxText: 50_000 })

const short = 1_000
const mostSteps = 400

describe('the cost of a text grows no faster than its length', () => {
  test('with any content', () =>
    countingSteps(async (stepsOf) => {
      async function steps(length: number, grow: (length: number) => string): Promise<number> {
        const text = grow(length)
        return stepsOf(() => [fromMarkdown(text), toMarkdown(saying(text || 'a')), toText(saying(text))])
      }
      for (const [name, grow] of hostileInputs) {
        let cost = { growth: Infinity, each: Infinity }
        // Quadratic growth would give a factor of sixteen each time; other work in this process is counted too, occasionally.
        for (let turn = 0; turn < 3 && !(cost.growth < 8 && cost.each < mostSteps); turn++) {
          const [few, many] = [await steps(short, grow), await steps(4 * short, grow)]
          cost = { growth: many / (few + mostSteps), each: many / (4 * short) }
        }
        expect.soft(cost.growth, name).toBeLessThan(8)
        expect.soft(cost.each, name).toBeLessThan(mostSteps)
      }
    }))

  test('with any structure', () =>
    countingSteps((stepsOf) =>
      fc.assert(
        fc.asyncProperty(hostilePiece, async (piece) => {
          const steps = await stepsOf(() => fromMarkdown(repeated(piece, 4 * short)))
          return steps < 4 * short * mostSteps
        }),
        { numRuns: runs(100) },
      ),
    ))

  test('with code without meaning in its language, however deep it seems to be nested', async () => {
    const code = (language: string, text: string): Doc => ({
      type: 'doc',
      content: [{ type: 'codeBlock', attrs: { language }, content: [{ type: 'text', text }] }],
    })
    for (const language of ['java', 'cs', 'typescript', 'bash', 'rust']) {
      for (const piece of ['a', 'a ', 'a\n', '$', '"', '_', '1e', '${', '/*'])
        expect
          .soft(await isLinear((length) => () => toSegments(code(language, repeated(piece, length)), nowhere)), language + piece)
          .toBe(true)
    }
  })

  // The steps of regular expressions cannot be counted.
  test.each(hostileInputs)('%s, for the patterns too', async (_, grow) => {
    expect(
      await isLinear((length) => {
        const text = grow(length) || 'a'
        const doc = saying(text)
        return () => [normalise(doc), toText(doc), summaryOf(doc), lengthOf(doc), toSegments(doc, nowhere), schema.safeParse(inCode(text))]
      }),
    ).toBe(true)
  })
})
