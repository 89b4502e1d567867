import { APICallError, streamText, stepCountIs, type ModelMessage, type ToolSet } from 'ai'
import { AnsweredNothing, BrokenOff, ContentRefused, ProviderAway, type AssistantJob } from '#assistant/contract.ts'
import { clientOf, modelsFor, noteFailure, noteSuccess, type Model } from '#assistant/server/models.ts'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'
import { Refusal } from '#base/contract.ts'
import type { Database } from '#base/server/database.ts'

export type Wanted = {
  job: AssistantJob
  instructions: string
  messages: readonly ModelMessage[]
  tools?: ToolSet
  /** Refuses when the answer must not go on: asked every few seconds. */
  mustGoOn: () => Promise<void>
}

/** What comes of a model, in its order. */
export type Event = { kind: 'text'; text: string } | { kind: 'calls'; input: unknown } | { kind: 'called' }

/** An answer while it is written: what it took so far, and by which model. */
export type Run = { model: Model | null; tokens: Tokens }

const firstWordMs = 60_000
const silenceMs = 60_000
const totalMs = 10 * 60_000
const mostSteps = 6
const mostOutputTokens = 8_000
/** Of an answer, in characters; what is longer is cut there. */
const longestAnswer = 60_000
const checkedEveryMs = 3_000

/**
 * Asks the models of a job, one after another until one answers, and gives what comes. Refuses where none does, where one breaks off or says
 * nothing, and where the provider's filter refuses. Of a model that began no other takes over.
 */
export async function* run(
  { database, signal }: { database: Database; signal: AbortSignal },
  wanted: Wanted,
  its: Run,
): AsyncIterable<Event> {
  for (const model of await modelsFor(database.app, wanted.job)) {
    its.model = model
    let hasBegun = false
    try {
      for await (const event of answerOf(model, wanted, { signal, its })) {
        hasBegun = true
        yield event
      }
      await noteSuccess(database, model)
      return
    } catch (error) {
      if (signal.aborted || error instanceof Refusal) throw error
      await noteFailure(database, model, saidOf(error))
      if (hasBegun) throw BrokenOff()
    }
  }
  throw ProviderAway()
}

async function* answerOf(model: Model, wanted: Wanted, { signal, its }: { signal: AbortSignal; its: Run }): AsyncIterable<Event> {
  const { instructions, messages, tools, mustGoOn } = wanted
  const { fullStream } = streamText({
    model: clientOf(model),
    instructions,
    messages: [...messages],
    ...(tools && { tools }),
    stopWhen: stepCountIs(mostSteps),
    maxOutputTokens: mostOutputTokens,
    maxRetries: 1,
    abortSignal: signal,
    timeout: { totalMs, firstChunkMs: firstWordMs, chunkMs: silenceMs },
    // It comes as a part of the stream, too.
    onError: () => undefined,
  })
  let length = 0
  let checkedAt = Date.now()
  for await (const part of fullStream) {
    signal.throwIfAborted()
    if (Date.now() - checkedAt > checkedEveryMs) {
      await mustGoOn()
      checkedAt = Date.now()
    }
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new Error('It was silent for too long')
    if (part.type === 'tool-call') yield { kind: 'calls', input: part.input }
    if (part.type === 'tool-result') yield { kind: 'called' }
    if (part.type === 'finish') {
      its.tokens = tokensOf(part.totalUsage) ?? its.tokens
      if (part.finishReason === 'content-filter') throw ContentRefused()
    }
    if (part.type === 'text-delta' && part.text !== '') {
      length += part.text.length
      its.tokens.output += tokensIn(part.text)
      yield { kind: 'text', text: part.text }
      if (length > longestAnswer) return
    }
  }
  if (length === 0) throw AnsweredNothing()
}

/** Words are sent at most so often: providers say one letter at a time. */
const sentEveryMs = 40

/** The same events with words gathered, so that readers are sent some pieces a second. */
export async function* gathered(events: AsyncIterable<Event>): AsyncIterable<Event> {
  let [text, sentAt] = ['', 0]
  for await (const event of events) {
    if (event.kind === 'text') text += event.text
    if (text !== '' && (event.kind !== 'text' || Date.now() - sentAt >= sentEveryMs)) {
      yield { kind: 'text', text }
      text = ''
      sentAt = Date.now()
    }
    if (event.kind !== 'text') yield event
  }
  if (text !== '') yield { kind: 'text', text }
}

type Usage = {
  inputTokens: number | undefined
  outputTokens: number | undefined
  inputTokenDetails: { cacheReadTokens: number | undefined }
}

function tokensOf({ inputTokens, outputTokens, inputTokenDetails }: Usage): Tokens | null {
  if (inputTokens === undefined || outputTokens === undefined) return null
  const cached = Math.min(inputTokenDetails.cacheReadTokens ?? 0, inputTokens)
  return { input: inputTokens, cached, output: outputTokens, isEstimated: false }
}

/** What staff are told of a failure: never what a provider wrote, which may hold the key. */
export function saidOf(error: unknown): string {
  if (APICallError.isInstance(error)) return error.statusCode === undefined ? 'No answer' : `HTTP ${error.statusCode}`
  if (!(error instanceof Error)) return 'Unknown'
  const inner = 'lastError' in error ? error.lastError : error.cause
  return APICallError.isInstance(inner) ? saidOf(inner) : error.name
}
