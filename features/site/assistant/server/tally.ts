import type { LanguageModelUsage } from 'ai'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'

/** The tokens of an answer by step: as reported by the provider, otherwise estimated. */
export class Tally {
  #sure: Tokens = { input: 0, cached: 0, output: 0, isEstimated: false }
  /** Inputs of begun steps: a step may begin before the end of the one before is reported. */
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

  /** The provider did not begin, and charges nothing. */
  refused(): void {
    this.#begun.pop()
  }
}

/** An upper bound of a step: windows of models are smaller. */
const maxTokens = 10_000_000

// Reported counts are untrusted: an impossible one is replaced by an estimate.
function credible(count: number | undefined): number | undefined {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= maxTokens ? count : undefined
}
