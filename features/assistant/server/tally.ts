import type { LanguageModelUsage } from 'ai'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'

/** The tokens of an answer, step by step: as the provider says, or estimated for a step that it says nothing of. */
export class Tally {
  #sure: Tokens = { input: 0, cached: 0, output: 0, isEstimated: false }
  /** Inputs of steps that have begun: the next may begin before the end of the last is heard of. */
  #begun: number[] = []
  #said = 0

  get tokens(): Tokens {
    const { input, cached, output, isEstimated } = this.#sure
    const begun = this.#begun.reduce((sum, one) => sum + one, 0)
    return { input: input + begun, cached, output: output + this.#said, isEstimated: isEstimated || this.#begun.length > 0 }
  }

  begins(input: number): void {
    this.#begun.push(input)
  }

  says(text: string): void {
    this.#said += tokensIn(text)
  }

  ends(usage: LanguageModelUsage): void {
    const { input, cached, output, isEstimated } = this.#sure
    const [inputTokens, outputTokens] = [usage.inputTokens, usage.outputTokens].map(credible)
    const about = this.#begun.shift() ?? 0
    const cachedNow = Math.min(credible(usage.inputTokenDetails.cacheReadTokens) ?? 0, inputTokens ?? 0)
    this.#sure = {
      input: input + (inputTokens ?? about),
      cached: cached + cachedNow,
      output: output + (outputTokens ?? this.#said),
      isEstimated: isEstimated || inputTokens === undefined || outputTokens === undefined,
    }
    this.#said = 0
  }

  /** The provider did not begin, and takes nothing for it. */
  refused(): void {
    this.#begun.pop()
  }
}

/** No step takes more: windows of models are smaller. */
const mostTokens = 10_000_000

// A provider may say anything. A count that cannot be is none, and estimated in its place.
function credible(count: number | undefined): number | undefined {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= mostTokens ? count : undefined
}
