import type { ModelEvent, ReportedUsage } from '#assistant/server/protocol/event.ts'
import { isReason } from '#assistant/server/protocol/ending.ts'
import { contentOf, countOf, fieldsOf, isFilled, listOf, textOf, type Fields } from '#assistant/server/protocol/lenient.ts'

/** Reads the pieces of one answer. */
export function openAiReader(): (piece: unknown, name: string) => ModelEvent[] {
  const restOf = messageReader()
  let hasDeltas = false
  return (piece, name) => {
    const fields = fieldsOf(piece)
    if (isFault(fields, name)) return [{ kind: 'fails' }]
    const choice = choiceIn(fields)
    const changes = messageEvents(fieldsOf(choice['delta']))
    hasDeltas ||= changes.some(isOfAnswer)
    // After deltas, a message repeats them.
    const events = changes.length > 0 || hasDeltas ? changes : restOf(fieldsOf(choice['message']))
    const [model, reason] = [textOf(fields['model']), textOf(choice['finish_reason'])]
    const usage = usageIn(fieldsOf(fields['usage'] ?? choice['usage'] ?? fieldsOf(fields['x_groq'])['usage']))
    return [
      ...(model === '' ? [] : [{ kind: 'model' as const, model }]),
      ...events,
      ...(Object.values(usage).some((count) => count !== undefined) ? [{ kind: 'usage' as const, usage }] : []),
      ...(isReason(reason) ? [{ kind: 'ends' as const, reason }] : []),
    ]
  }
}

function isOfAnswer({ kind }: ModelEvent): boolean {
  return kind === 'text' || kind === 'call'
}

/** Reads messages in place of deltas: each is a part of the answer, or all of it so far. */
function messageReader(): (message: Fields) => ModelEvent[] {
  let said = ''
  let hasCalls = false
  return (message) => {
    const events = messageEvents(message).flatMap((event): ModelEvent[] => {
      if (event.kind === 'call') return hasCalls ? [] : [event]
      if (event.kind !== 'text') return [event]
      const text = event.text.startsWith(said) ? event.text.slice(said.length) : event.text
      said += text
      return text === '' ? [] : [{ ...event, text }]
    })
    hasCalls ||= events.some(({ kind }) => kind === 'call')
    return events
  }
}

// Asked for one, a provider numbers it 0, or not at all.
function choiceIn({ choices }: Fields): Fields {
  const all = listOf(choices).map(fieldsOf)
  return all.find(({ index }) => countOf(index) === 0) ?? all[0] ?? {}
}

function messageEvents(message: Fields): ModelEvent[] {
  const thought = textOf(message['reasoning_content']) || textOf(message['reasoning']) || thinkingIn(message['content'])
  const [text, refusal] = [contentOf(message['content']), textOf(message['refusal'])]
  return [
    ...(thought === '' ? [] : [{ kind: 'thought' as const, text: thought }]),
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
    ...(refusal === '' ? [] : [{ kind: 'refusal' as const, text: refusal }]),
    ...listOf(message['tool_calls']).flatMap((call) => callIn(fieldsOf(call))),
    ...callIn({ index: 0, function: message['function_call'] }),
  ]
}

function thinkingIn(content: unknown): string {
  return listOf(content)
    .map((part) => contentOf(fieldsOf(part)['thinking']))
    .join('')
}

function callIn({ index, id, function: named }: Fields): ModelEvent[] {
  const { name, arguments: input } = fieldsOf(named)
  const call = { kind: 'call' as const, index: countOf(index) ?? null, id: textOf(id), name: textOf(name), input: jsonText(input) }
  return call.name === '' && call.input === '' ? [] : [call]
}

function jsonText(input: unknown): string {
  if (typeof input === 'string') return input
  return typeof input === 'object' && input !== null ? JSON.stringify(input) : ''
}

function usageIn(usage: Fields): ReportedUsage {
  const details = fieldsOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details'])
  return {
    input: countOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    cached: countOf(details['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens']),
    output: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
  }
}

// A fault comes as an error, as an event of that name, or, from some, as a bare code and message in place of choices.
function isFault({ error, object, choices, message, code }: Fields, name: string): boolean {
  const isBare = listOf(choices).length === 0 && typeof message === 'string' && !['', '0', '200'].includes(textOf(code))
  return name === 'error' || object === 'error' || isBare || isFilled(error) || Object.values(fieldsOf(error)).some(isFilled)
}
