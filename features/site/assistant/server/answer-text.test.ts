import { expect, test } from 'vitest'
import { allowSources, safeMarkdown } from '#assistant/links.ts'
import { answerMarkdown } from '#assistant/server/answer-text.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { countingSteps } from '#base/testing/steps.ts'

const allows = allowSources([], [])

test.each(['*a* ', '- a\n', '|-|\n'])(
  'a long answer of %j is parsed and written beside this thread, as it would be in it',
  async (piece) => {
    const answer = repeated(piece, 50_000)
    const here = safeMarkdown(answer, allows)
    expect(await answerMarkdown(answer, allows, null)).toBe(here)
    const [beside, inside] = await countingSteps(async (stepsOf) => [
      await stepsOf(() => answerMarkdown(answer, allows, [])),
      await stepsOf(async () => safeMarkdown(answer, allows)),
    ])
    expect(beside).toBeLessThan((inside ?? 0) / 3)
  },
)
