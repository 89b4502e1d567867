import { setTimeout as pause } from 'node:timers/promises'
import type { ModelMessage, ToolSet } from 'ai'
import { AnsweredNothing, BrokenOff, ContentRefused, ProviderAway, type AssistantJob, type LeftOut } from '#assistant/contract.ts'
import { isNotBegun, isRefusedContent, mayBeRepeated, saidNothing, saidOf, secondsToRest } from '#assistant/server/failure.ts'
import { clientOf, modelsFor, noteFailure, noteSuccess, type Model } from '#assistant/server/models.ts'
import { gathered, type Event } from '#assistant/server/gathered.ts'
import { following, standardPatience, textIn, within, type Part, type Patience } from '#assistant/server/patience.ts'
import { Tally } from '#assistant/server/tally.ts'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'
import { fitted } from '#assistant/server/window.ts'
import { Refusal } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'

export { saidOf } from '#assistant/server/failure.ts'

export type RunRequest = {
  job: AssistantJob
  instructions: string
  messages: readonly ModelMessage[]
  tools?: ToolSet
  /** Refuses when the answer must not go on: asked every few seconds. */
  mustGoOn: () => Promise<void>
  /** Hears what the model does not read because it is too much. */
  leave?: (what: LeftOut) => void
}

/** An answer while it is written: what it took so far, and by which model. */
export type Run = { model: Model | null; tokens: Tokens }

type Around = { database: Database; signal: AbortSignal; patience?: Patience }

const mostSteps = 6
const mostOutputTokens = 8_000
/** Of an answer, in characters; what is longer is cut there. */
const longestAnswer = 60_000
/** The same with what it thinks and calls. */
const longestInAll = 400_000

/**
 * Asks the models of a job, one after another until one answers, and gives what comes. Refuses where none does, where one breaks off or says
 * nothing, and where the provider's filter refuses. Once there are words, no other model takes over.
 */
export async function* run({ database, signal, patience = standardPatience }: Around, wanted: RunRequest, its: Run): AsyncIterable<Event> {
  const { controller: end, unfollow } = following(signal)
  const watch = watched(wanted, patience.checkedEveryMs, end)
  try {
    yield* gathered(tried({ database, patience, end, signal: end.signal }, wanted, its), () => end.abort(new Error('Nobody reads on')))
  } finally {
    clearInterval(watch)
    unfollow()
  }
}

/** Asks again and again whether the answer may go on, also while nothing comes. */
function watched({ mustGoOn }: RunRequest, everyMs: number, end: AbortController) {
  let isAsking = false
  return setInterval(() => {
    if (isAsking) return
    isAsking = true
    mustGoOn()
      .catch((error: unknown) => end.abort(error))
      .finally(() => (isAsking = false))
  }, everyMs)
}

type Trying = Required<Around> & { end: AbortController }

async function* tried(around: Trying, wanted: RunRequest, its: Run): AsyncIterable<Event> {
  const { database, signal, patience } = around
  const models = await modelsFor(database.app, wanted.job)
  const tally = new Tally()
  let last: unknown = null
  // One that stands alone is asked once more where it only refused to begin.
  for (const [place, model] of [...models, ...(models.length === 1 ? models : [])].entries()) {
    if (model.id === its.model?.id && place > 0) {
      if (!mayBeRepeated(last)) break
      await pause(patience.betweenTriesMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
    its.model = model
    let hasBegun = false
    try {
      for await (const event of answerOf(model, wanted, around, tally)) {
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
      await noteFailure(database, model, saidOf(error), secondsToRest(error))
      if (hasBegun) throw BrokenOff()
    } finally {
      its.tokens = tally.tokens
    }
  }
  throw last === saidNothing ? AnsweredNothing() : ProviderAway()
}

async function* answerOf(model: Model, wanted: RunRequest, around: Trying, tally: Tally): AsyncIterable<Event> {
  const { controller: own, unfollow } = following(around.signal)
  const { signal } = own
  try {
    const parts = within(await streamOf(model, wanted, { ...around, signal }, tally), around.patience, own)
    yield* eventsIn(parts, signal, tally)
  } catch (error) {
    if (isNotBegun(error)) tally.refused()
    throw error
  } finally {
    unfollow()
    // The provider hears that nobody reads on, whatever the reason is.
    own.abort()
  }
}

async function streamOf(
  model: Model,
  { instructions, messages, tools = {}, leave = () => undefined }: RunRequest,
  { signal, patience, end }: Trying,
  tally: Tally,
) {
  // It is large, and not asked for where there is no assistant.
  const { experimental_streamTextLowMemory: streamText, stepCountIs } = await import('ai')
  const mostOutput = Math.min(mostOutputTokens, Math.floor(model.contextTokens / 4))
  const room =
    model.contextTokens -
    mostOutput -
    tokensIn(instructions) -
    tokensIn(JSON.stringify(Object.values(tools).map(({ description }) => description)))
  return streamText({
    model: await clientOf(model),
    instructions,
    messages: [...messages],
    tools: guarded(tools, (error) => end.abort(error)),
    stopWhen: stepCountIs(mostSteps),
    prepareStep({ messages: all, stepNumber }) {
      const fit = fitted(all, room, leave)
      tally.begins(tokensIn(instructions + JSON.stringify(fit)))
      // After the last look the model answers by its findings.
      return { messages: fit, ...(stepNumber === mostSteps - 1 && model.protocol === 'openai' && { toolChoice: 'none' as const }) }
    },
    maxOutputTokens: mostOutput,
    maxRetries: 0,
    abortSignal: signal,
    timeout: { totalMs: patience.totalMs },
    // It comes as a part of the stream, too.
    onError: () => undefined,
  }).fullStream
}

/** Tools of which a provider hears nothing that went wrong here: that ends the answer. */
function guarded(tools: ToolSet, fail: (error: unknown) => void): ToolSet {
  const all = Object.entries(tools).map(([name, its]): [string, ToolSet[string]] => {
    async function execute(...asked: Parameters<NonNullable<ToolSet[string]['execute']>>) {
      try {
        return await its.execute?.(...asked)
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
    if (inAll > longestInAll) throw new RangeError('It says too much')
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new Error('It took too long')
    if (part.type === 'tool-call' && !part.invalid) yield { kind: 'calls', input: part.input }
    if (part.type === 'tool-result') yield { kind: 'called' }
    if (part.type === 'finish-step') tally.ends(part.usage)
    if (part.type === 'finish') mustBeWhole(part, words)
    if (part.type !== 'text-delta' || text === '') continue
    words += text.length
    yield { kind: 'text', text }
    if (words > longestAnswer) return
  }
}

type Finish = Extract<Part, { type: 'finish' }>

function mustBeWhole({ finishReason, rawFinishReason }: Finish, words: number): void {
  if (finishReason === 'content-filter') throw ContentRefused()
  if (words === 0) throw saidNothing
  if (finishReason === 'length') throw BrokenOff()
  if (rawFinishReason === undefined) throw new Error('It ended without saying so')
}
