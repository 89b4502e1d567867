import { setTimeout as pause } from 'node:timers/promises'
import type { ModelMessage, ToolSet } from 'ai'
import { AnsweredNothing, BrokenOff, ContentRefused, ProviderAway, type AssistantJob, type LeftOut } from '#assistant/contract.ts'
import { isNotBegun, isRefusedContent, isRetryable, emptyAnswer, failureReason, retryAfterSeconds } from '#assistant/server/failure.ts'
import { clientOf, modelsFor, noteFailure, noteSuccess, type Model } from '#assistant/server/models.ts'
import { batchText, type Event } from '#assistant/server/text-batching.ts'
import { linkedController, defaultTimeouts, textIn, withTimeouts, type Part, type Timeouts } from '#assistant/server/timeouts.ts'
import { Tally } from '#assistant/server/tally.ts'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'
import { fitToWindow } from '#assistant/server/window.ts'
import { Refusal } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'

export { failureReason } from '#assistant/server/failure.ts'

export type RunRequest = {
  job: AssistantJob
  instructions: string
  messages: readonly ModelMessage[]
  tools?: ToolSet
  /** Throws when the answer has to stop; called every few seconds. */
  mustGoOn: () => Promise<void>
  /** Called for input left out for lack of room. */
  onLeftOut?: (what: LeftOut) => void
}

/** The state of a running answer: its usage so far, and its model. */
export type Run = { model: Model | null; tokens: Tokens }

type RunContext = { database: Database; signal: AbortSignal; timeouts?: Timeouts }

const maxSteps = 6
const maxOutputTokens = 8_000
/** Characters of an answer, which is cut there. */
const maxAnswerLength = 60_000
/** The same with reasoning and tool calls. */
const maxTotalLength = 400_000

/**
 * Asks the models of a job one after another until one answers, and streams its events. Throws when none answers, when one breaks off or
 * sends no text, or when the provider's filter refuses. No other model takes over after the first text.
 */
export async function* run(
  { database, signal, timeouts = defaultTimeouts }: RunContext,
  request: RunRequest,
  its: Run,
): AsyncIterable<Event> {
  const { controller: end, unfollow } = linkedController(signal)
  const watch = watchPermission(request, timeouts.checkedEveryMs, end)
  try {
    yield* batchText(attempts({ database, timeouts, end, signal: end.signal }, request, its), () => end.abort(new Error('Nobody reads on')))
  } finally {
    clearInterval(watch)
    unfollow()
  }
}

/** Checks regularly whether the answer may continue, also without events. */
function watchPermission({ mustGoOn }: RunRequest, everyMs: number, end: AbortController) {
  let isAsking = false
  return setInterval(() => {
    if (isAsking) return
    isAsking = true
    mustGoOn()
      .catch((error: unknown) => end.abort(error))
      .finally(() => (isAsking = false))
  }, everyMs)
}

type AttemptContext = Required<RunContext> & { end: AbortController }

async function* attempts(context: AttemptContext, request: RunRequest, its: Run): AsyncIterable<Event> {
  const { database, signal, timeouts } = context
  const models = await modelsFor(database.app, request.job)
  const tally = new Tally()
  let last: unknown = null
  // A single model is retried once where it only refused to begin.
  for (const [place, model] of [...models, ...(models.length === 1 ? models : [])].entries()) {
    if (model.id === its.model?.id && place > 0) {
      if (!isRetryable(last)) break
      await pause(timeouts.betweenTriesMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
    its.model = model
    let hasBegun = false
    try {
      for await (const event of answerOf(model, request, context, tally)) {
        its.tokens = tally.tokens
        if (event.kind === 'text') hasBegun = true
        yield event
      }
      await noteSuccess(database, model)
      return
    } catch (error) {
      last = error
      signal.throwIfAborted()
      if (error instanceof Refusal) throw error
      if (isRefusedContent(error)) throw ContentRefused()
      await noteFailure(database, model, failureReason(error), retryAfterSeconds(error))
      if (hasBegun) throw BrokenOff()
    } finally {
      its.tokens = tally.tokens
    }
  }
  throw last === emptyAnswer ? AnsweredNothing() : ProviderAway()
}

async function* answerOf(model: Model, request: RunRequest, context: AttemptContext, tally: Tally): AsyncIterable<Event> {
  const { controller: own, unfollow } = linkedController(context.signal)
  const { signal } = own
  try {
    const parts = withTimeouts(await streamOf(model, request, { ...context, signal }, tally), context.timeouts, own)
    yield* eventsIn(parts, signal, tally)
  } catch (error) {
    if (isNotBegun(error)) tally.refused()
    throw error
  } finally {
    unfollow()
    // The connection to the provider is closed on any end of the stream.
    own.abort()
  }
}

async function streamOf(
  model: Model,
  { instructions, messages, tools = {}, onLeftOut = () => undefined }: RunRequest,
  { signal, timeouts, end }: AttemptContext,
  tally: Tally,
) {
  // The library is large; loaded on first use.
  const { experimental_streamTextLowMemory: streamText, stepCountIs } = await import('ai')
  const mostOutput = Math.min(maxOutputTokens, Math.floor(model.contextTokens / 4))
  const room =
    model.contextTokens -
    mostOutput -
    tokensIn(instructions) -
    tokensIn(JSON.stringify(Object.values(tools).map(({ description }) => description)))
  return streamText({
    model: await clientOf(model),
    instructions,
    messages: [...messages],
    tools: guardedTools(tools, (error) => end.abort(error)),
    stopWhen: stepCountIs(maxSteps),
    prepareStep({ messages: all, stepNumber }) {
      const fit = fitToWindow(all, room, onLeftOut)
      tally.begins(tokensIn(instructions + JSON.stringify(fit)))
      // After the last tool call, the model has to answer.
      return { messages: fit, ...(stepNumber === maxSteps - 1 && model.protocol === 'openai' && { toolChoice: 'none' as const }) }
    },
    maxOutputTokens: mostOutput,
    maxRetries: 0,
    abortSignal: signal,
    timeout: { totalMs: timeouts.totalMs },
    // The error is a part of the stream, too.
    onError: () => undefined,
  }).fullStream
}

/** Tools that never report an internal error to a provider: it ends the answer. */
function guardedTools(tools: ToolSet, fail: (error: unknown) => void): ToolSet {
  const all = Object.entries(tools).map(([name, its]): [string, ToolSet[string]] => {
    async function execute(...args: Parameters<NonNullable<ToolSet[string]['execute']>>) {
      try {
        return await its.execute?.(...args)
      } catch (error) {
        fail(error)
        throw new Error('It cannot be read now', { cause: error })
      }
    }
    return [name, { ...its, execute }]
  })
  return Object.fromEntries(all)
}

async function* eventsIn(parts: AsyncIterable<Part>, signal: AbortSignal, tally: Tally): AsyncIterable<Event> {
  let [words, inAll] = [0, 0]
  for await (const part of parts) {
    signal.throwIfAborted()
    const text = textIn(part)
    inAll += text.length
    if (text !== '') tally.says(text)
    if (inAll > maxTotalLength) throw new RangeError('It says too much')
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new Error('It took too long')
    if (part.type === 'tool-call' && !part.invalid) yield { kind: 'calls', input: part.input }
    if (part.type === 'tool-result') yield { kind: 'called' }
    if (part.type === 'finish-step') tally.ends(part.usage)
    if (part.type === 'finish') mustBeWhole(part, words)
    if (part.type !== 'text-delta' || text === '') continue
    words += text.length
    yield { kind: 'text', text }
    if (words > maxAnswerLength) return
  }
}

type Finish = Extract<Part, { type: 'finish' }>

function mustBeWhole({ finishReason, rawFinishReason }: Finish, words: number): void {
  if (finishReason === 'content-filter') throw ContentRefused()
  if (words === 0) throw emptyAnswer
  if (finishReason === 'length') throw BrokenOff()
  if (rawFinishReason === undefined) throw new Error('It ended without saying so')
}
