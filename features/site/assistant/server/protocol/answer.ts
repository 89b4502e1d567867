import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { anthropicReader } from '#assistant/server/protocol/anthropic.ts'
import { ModelFault, type ModelEvent } from '#assistant/server/protocol/event.ts'
import { eventsOf } from '#assistant/server/protocol/event-stream.ts'
import { openAiReader } from '#assistant/server/protocol/openai.ts'
import { partsOf } from '#assistant/server/protocol/parts.ts'
import type { Protocol } from '#assistant/protocols.ts'

/** Time for the usage after the last word. */
const graceMs = 2_000

/**
 * The answer in a response, in either protocol. Each piece is read for what is known in it, and the rest is passed over. `close` ends the
 * connection, which a provider may hold open after its last word.
 */
export async function* answerIn(protocol: Protocol, response: Response, close: () => void): AsyncIterable<LanguageModelV4StreamPart> {
  try {
    yield* partsOf(untilDone(protocol, response))
  } finally {
    close()
  }
}

async function* untilDone(protocol: Protocol, response: Response): AsyncIterable<ModelEvent> {
  const read = protocol === 'anthropic' ? anthropicReader() : openAiReader()
  const end = new StreamEnd()
  for await (const { name, data } of eventsOf(response, () => end.deadline)) {
    if (data.trim() === '[DONE]') return yield { kind: 'done' }
    for (const event of piecesIn(data, end.deadline !== null).flatMap((piece) => read(piece, name))) {
      if (event.kind === 'fails' && end.deadline !== null) continue
      end.note(event)
      yield event
      if (event.kind === 'done') return
    }
  }
}

class StreamEnd {
  /** The time until which a stream that has ended by its words may stay open. */
  deadline: number | null = null
  #isEarly = false

  note({ kind }: ModelEvent): void {
    // Some give a reason to end in every piece: it is no sign of the end.
    if (this.deadline !== null && (kind === 'text' || kind === 'call')) [this.deadline, this.#isEarly] = [null, true]
    if (kind === 'ends' && !this.#isEarly) this.deadline ??= performance.now() + graceMs
  }
}

/** The JSON values in an event: one, or one on each line. What is no JSON may be passed over, but a broken piece may hold words. */
function piecesIn(data: string, hasEnded: boolean): unknown[] {
  const whole = parse(data)
  if (whole !== undefined) return [whole]
  const lines = data.split('\n').map((line) => ({ line, piece: parse(line) }))
  if (!hasEnded && lines.some(({ line, piece }) => piece === undefined && line.trim().startsWith('{')))
    throw new ModelFault('It sent a piece that cannot be read')
  return lines.flatMap(({ piece }) => (piece === undefined ? [] : [piece]))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // no JSON
  }
}
