import type { ModelMessage, ToolSet } from 'ai'
import { BrokenOff, ContentRefused, MayBeIncomplete, type AssistantJob, type LeftOut } from '#assistant/contract.ts'
import { EmptyAnswer } from '#assistant/server/failure.ts'
import { clientOf, type Model } from '#assistant/server/models.ts'
import { ModelFault } from '#assistant/server/protocol/event.ts'
import type { Tally } from '#assistant/server/tally.ts'
import type { Event } from '#assistant/server/text-batching.ts'
import { ThoughtFilter, type TextPiece } from '#assistant/server/thoughts.ts'
import { textIn, type Part, type Timeouts } from '#assistant/server/timeouts.ts'
import { tokensIn } from '#assistant/server/usage.ts'
import { fitToWindow } from '#assistant/server/window.ts'

export type RunRequest = {
  job: AssistantJob
  instructions: string
  messages: readonly ModelMessage[]
  tools?: ToolSet
  /** Finds what a model without tools cannot look for. */
  lookUp?: { query: string; find: () => Promise<string> }
  /** Throws when the answer has to stop; called every few seconds. */
  mustGoOn: () => Promise<void>
  /** Called for input left out for lack of room. */
  onLeftOut?: (what: LeftOut) => void
}

type StreamContext = { signal: AbortSignal; timeouts: Timeouts; /** Ends the answer by a fault of ours. */ fail: (error: unknown) => void }

const maxSteps = 6
const maxOutputTokens = 8_000
/** Characters of an answer, which is cut there. */
const maxAnswerLength = 60_000
/** The same with reasoning and tool calls. */
const maxTotalLength = 400_000

/** The most tokens that a model may answer with. */
export function outputLimitOf({ contextTokens }: Pick<Model, 'contextTokens'>): number {
  return Math.min(maxOutputTokens, Math.floor(contextTokens / 4))
}

/** Begins the answer of a model. */
export async function streamOf(
  model: Model,
  { instructions, messages, tools = {}, onLeftOut = () => undefined }: RunRequest,
  { signal, timeouts, fail }: StreamContext,
  tally: Tally,
) {
  // The library is large; loaded on first use.
  const { experimental_streamTextLowMemory: streamText, stepCountIs } = await import('ai')
  const ownTools = model.refusedParts.includes('tools') ? {} : tools
  const room =
    model.contextTokens -
    outputLimitOf(model) -
    tokensIn(instructions) -
    tokensIn(JSON.stringify(Object.values(ownTools).map(({ description }) => description)))
  return streamText({
    model: await clientOf(model),
    instructions,
    messages: [...messages],
    tools: guardedTools(ownTools, fail),
    stopWhen: stepCountIs(maxSteps),
    prepareStep({ messages: all, stepNumber }) {
      const fit = fitToWindow(all, room, onLeftOut)
      tally.begins(tokensIn(instructions + JSON.stringify(fit)))
      // After the last tool call, the model has to answer.
      return { messages: fit, ...(stepNumber === maxSteps - 1 && model.protocol === 'openai' && { toolChoice: 'none' as const }) }
    },
    maxOutputTokens: outputLimitOf(model),
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

/** The events of an answer for its reader. Throws at the end of one that is not whole. */
export async function* eventsIn(parts: AsyncIterable<Part>, signal: AbortSignal, tally: Tally): AsyncIterable<Event> {
  let [words, inAll, calls] = [0, 0, 0]
  let filter = new ThoughtFilter()
  for await (const part of parts) {
    signal.throwIfAborted()
    const text = textIn(part)
    inAll += text.length
    if (text !== '') tally.says(text)
    if (inAll > maxTotalLength) throw new ModelFault('It says too much')
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new ModelFault('It took too long')
    if (part.type === 'start-step') [filter, calls] = [new ThoughtFilter(), 0]
    for (const event of piecesOf(part, filter)) {
      if (event.kind === 'text') words += event.text.trim().length
      if (event.kind === 'restart') words = 0
      yield event
    }
    if (part.type === 'tool-input-start') calls++
    if (part.type === 'tool-call' && !part.invalid) yield { kind: 'calls', input: part.input }
    if (part.type === 'tool-result') yield { kind: 'called' }
    if (part.type === 'finish-step') tally.ends(part.usage)
    if (part.type === 'finish-step') mustBeWhole(part, words, calls, filter.endsInCall)
    if (part.type === 'finish' && words === 0) throw new EmptyAnswer('It said nothing')
    if (words > maxAnswerLength) return yield { kind: 'cut' }
  }
}

function piecesOf(part: Part, filter: ThoughtFilter): Event[] {
  const isEnd = part.type === 'text-end' || part.type === 'finish-step'
  const pieces: TextPiece[] = part.type === 'text-delta' ? [...filter.take(part.text)] : isEnd ? [...filter.end()] : []
  return pieces.flatMap((piece): Event[] => {
    if (piece.kind === 'restart') return [{ kind: 'restart' }]
    return piece.kind === 'text' ? [{ kind: 'text', text: piece.text }] : []
  })
}

type StepEnd = Extract<Part, { type: 'finish-step' }>

function mustBeWhole({ finishReason }: StepEnd, words: number, calls: number, endsInCall: boolean): void {
  if (finishReason === 'content-filter') throw ContentRefused()
  if (finishReason === 'error') throw new ModelFault('It ended with an error')
  const isCallAsText = endsInCall && finishReason !== 'tool-calls'
  if (isCallAsText && words === 0) throw new ModelFault('Its tool call came as text')
  if (finishReason === 'length' && calls > 0) throw new ModelFault('Its tool call was cut')
  if (finishReason === 'length' && words === 0) throw new EmptyAnswer('It used up its length without an answer')
  if (finishReason === 'length') throw BrokenOff()
  if (isCallAsText || (finishReason === 'other' && words > 0)) throw MayBeIncomplete()
}
