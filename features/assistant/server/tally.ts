import type { LanguageModelUsage } from 'ai'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'

/** What an answer takes, step by step: what the provider says, or about that for a step that it said nothing of. */
export class Tally {
  tokens: Tokens = { input: 0, cached: 0, output: 0, isEstimated: false }
  #before: Tokens = this.tokens

  begins(input: number): void {
    this.#before = this.tokens
    this.tokens = { ...this.tokens, input: this.tokens.input + input, isEstimated: true }
  }

  says(text: string): void {
    this.tokens = { ...this.tokens, output: this.tokens.output + tokensIn(text) }
  }

  ends({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage): void {
    if (inputTokens === undefined || outputTokens === undefined) return
    const { input, cached, output, isEstimated } = this.#before
    const cachedNow = Math.min(inputTokenDetails.cacheReadTokens ?? 0, inputTokens)
    this.tokens = { input: input + inputTokens, cached: cached + cachedNow, output: output + outputTokens, isEstimated }
  }

  /** The provider did not begin, and takes nothing for it. */
  refused(): void {
    this.tokens = this.#before
  }
}
