import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { endingOf, type Ending } from '#assistant/server/protocol/ending.ts'
import { ModelFault, type ModelEvent, type ReportedUsage } from '#assistant/server/protocol/event.ts'

type Part = LanguageModelV4StreamPart
type CallEvent = Extract<ModelEvent, { kind: 'call' }>
type ToolCall = { id: string; index: number | null; wireId: string; name: string; input: string }
type Open = { type: 'text' | 'reasoning'; id: string; signature?: string | undefined }

/**
 * The parts of an answer for the client library. Throws where it broke off: nothing said that it had ended. What follows an answer that has
 * ended cannot break it.
 */
export async function* partsOf(events: AsyncIterable<ModelEvent>): AsyncIterable<Part> {
  const answer = new AnswerParts()
  yield { type: 'stream-start', warnings: [] }
  for await (const event of events) yield* answer.take(event)
  yield* answer.end()
}

class AnswerParts {
  #open: Open | null = null
  #blocks = 0
  #calls: ToolCall[] = []
  #usage: ReportedUsage = {}
  #reason: string | null = null
  /** Text came after the reason. */
  #saysMore = false
  #isDone = false
  #isRefused = false
  #isNamed = false;

  *take(event: ModelEvent): Iterable<Part> {
    switch (event.kind) {
      case 'text':
        this.#saysMore = true
        return yield* this.#say('text', event.text)
      case 'refusal':
        this.#isRefused = true
        return yield* this.#say('text', event.text)
      case 'thought':
        yield* this.#say('reasoning', event.text)
        if (this.#open) this.#open.signature = event.signature ?? this.#open.signature
        return
      case 'call':
        return yield* this.#call(event)
      case 'usage':
        return this.#count(event.usage)
      case 'model':
        if (!this.#isNamed) yield { type: 'response-metadata', modelId: event.model }
        this.#isNamed = true
        return
      case 'ends':
        // After an end, a further reason cannot break what was whole.
        if (this.#saysMore || this.#reason === null || endingOf(this.#reason) !== 'whole') this.#reason = event.reason
        this.#saysMore = false
        return
      case 'done':
        this.#isDone = true
        return
      case 'fails':
        throw new ModelFault('It sent an error in place of an answer')
    }
  }

  *end(): Iterable<Part> {
    yield* this.#close()
    if (this.#reason === null && !this.#isDone) throw new ModelFault('It ended without saying so')
    const calls = this.#calls.filter(({ name }) => name !== '')
    const ending = this.#ending(calls)
    for (const { id, name, input } of calls) {
      yield { type: 'tool-input-end', id }
      // Of an answer that was cut or filtered, nothing is called.
      if (ending === 'calls') yield { type: 'tool-call', toolCallId: id, toolName: name, input: input === '' ? '{}' : input }
    }
    yield { type: 'finish', finishReason: { unified: unified[ending], raw: this.#reason ?? 'done' }, usage: usageOf(this.#usage) }
  }

  *#say(type: Open['type'], delta: string): Iterable<Part> {
    if (this.#open?.type !== type) {
      yield* this.#close()
      this.#open = { type, id: String(++this.#blocks) }
      yield { type: `${type}-start`, id: this.#open.id }
    }
    if (delta !== '') yield { type: `${type}-delta`, id: this.#open.id, delta }
  }

  *#close(): Iterable<Part> {
    if (!this.#open) return
    const { type, id, signature } = this.#open
    this.#open = null
    yield { type: `${type}-end`, id, ...(signature !== undefined && { providerMetadata: { anthropic: { signature } } }) }
  }

  *#call(event: CallEvent): Iterable<Part> {
    yield* this.#close()
    const call = this.#callOf(event)
    call.wireId ||= event.id
    const [wasNamed, waiting] = [call.name !== '', call.input]
    call.name ||= event.name
    call.input += event.input
    if (call.name === '') return
    if (!wasNamed) yield { type: 'tool-input-start', id: call.id, toolName: call.name }
    const delta = wasNamed ? event.input : waiting + event.input
    if (delta !== '') yield { type: 'tool-input-delta', id: call.id, delta }
  }

  /** The call that a piece belongs to: by its place, or by its id, or else the last. Some number all calls the same. */
  #callOf({ index, id, name }: CallEvent): ToolCall {
    const isSame = (call: ToolCall) => id === '' || call.wireId === '' || call.wireId === id
    const found = this.#calls.findLast((call) => (index === null ? id === '' || call.wireId === id : call.index === index && isSame(call)))
    // Without an id, a name begins the next call, unless the last one is repeated in each piece.
    const isNext = id === '' && name !== '' && found?.name !== '' && (index === null || isWhole(found?.input ?? ''))
    if (found && !isNext) return found
    const call = { id: this.#newId(id), index, wireId: id, name: '', input: '' }
    this.#calls.push(call)
    return call
  }

  #newId(wireId: string): string {
    const isTaken = this.#calls.some(({ id }) => id === wireId)
    return wireId === '' || isTaken ? `call_${this.#calls.length + 1}_${wireId}` : wireId
  }

  #count({ input = 0, cached = 0, output = 0 }: ReportedUsage): void {
    // Counts are sums of what was before, and parts of them may come in any piece.
    const most = (one: number | undefined, other: number) => Math.max(one ?? 0, other) || undefined
    this.#usage = {
      input: most(this.#usage.input, input),
      cached: most(this.#usage.cached, cached),
      output: most(this.#usage.output, output),
    }
  }

  #ending(calls: readonly ToolCall[]): Ending {
    const ending = this.#reason === null ? 'unclear' : endingOf(this.#reason)
    if (calls.length > 0 && (ending === 'whole' || (ending === 'unclear' && calls.every(({ input }) => input === '' || isWhole(input)))))
      return 'calls'
    if (ending === 'calls' && calls.length === 0) return 'unclear'
    return this.#isRefused && ending === 'whole' ? 'filtered' : ending
  }
}

const unified: Record<Ending, LanguageModelV4FinishReason['unified']> = {
  whole: 'stop',
  calls: 'tool-calls',
  cut: 'length',
  filtered: 'content-filter',
  failed: 'error',
  unclear: 'other',
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false // a part of it is missing
  }
}

function usageOf({ input, cached, output }: ReportedUsage): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}
