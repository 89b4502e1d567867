import type { ModelEvent } from '#assistant/server/protocol/event.ts'
import { isReason } from '#assistant/server/protocol/ending.ts'
import { contentOf, countOf, fieldsOf, listOf, textOf, type Fields } from '#assistant/server/protocol/lenient.ts'

/** Reads the events of one answer. Events, blocks and changes of an unknown kind are passed over, as the protocol demands. */
export function anthropicReader(): (event: unknown, name: string) => ModelEvent[] {
  return (event, name) => {
    const fields = fieldsOf(event)
    const [block, delta] = [fieldsOf(fields['content_block']), fieldsOf(fields['delta'])]
    switch (textOf(fields['type']) || name) {
      case 'message_start':
        return messageEvents(fieldsOf(fields['message']))
      // A message that was not streamed.
      case 'message':
        return [...messageEvents(fields), { kind: 'done' }]
      case 'content_block_start':
        return blockEvents(block, countOf(fields['index']) ?? null)
      case 'content_block_delta':
        return deltaEvents(delta, countOf(fields['index']) ?? null)
      case 'message_delta':
        return [...usageEvents(fields['usage']), ...reasonEvents(delta['stop_reason'])]
      case 'message_stop':
        return [{ kind: 'done' }]
      case 'error':
        return [{ kind: 'fails' }]
      default:
        return []
    }
  }
}

function messageEvents(message: Fields): ModelEvent[] {
  const model = textOf(message['model'])
  return [
    ...(model === '' ? [] : [{ kind: 'model' as const, model }]),
    ...listOf(message['content']).flatMap((block, index) => blockEvents(fieldsOf(block), index)),
    ...usageEvents(message['usage']),
    ...reasonEvents(message['stop_reason']),
  ]
}

function blockEvents(block: Fields, index: number | null): ModelEvent[] {
  if (block['type'] === 'tool_use') {
    const input = Object.keys(fieldsOf(block['input'])).length > 0 ? JSON.stringify(block['input']) : ''
    return [{ kind: 'call', index, id: textOf(block['id']), name: textOf(block['name']), input }]
  }
  return block['type'] === 'thinking' ? thoughtEvents(block) : textEvents(block)
}

function deltaEvents(delta: Fields, index: number | null): ModelEvent[] {
  switch (delta['type']) {
    case 'input_json_delta':
      return [{ kind: 'call', index, id: '', name: '', input: textOf(delta['partial_json']) }]
    case 'thinking_delta':
    case 'signature_delta':
      return thoughtEvents(delta)
    default:
      return textEvents(delta)
  }
}

function textEvents({ type, text }: Fields): ModelEvent[] {
  const its = type === 'text' || type === 'text_delta' ? contentOf(text) : ''
  return its === '' ? [] : [{ kind: 'text', text: its }]
}

function thoughtEvents({ thinking, signature }: Fields): ModelEvent[] {
  const [text, sign] = [textOf(thinking), textOf(signature)]
  return text === '' && sign === '' ? [] : [{ kind: 'thought', text, ...(sign !== '' && { signature: sign }) }]
}

function usageEvents(usage: unknown): ModelEvent[] {
  const its = fieldsOf(usage)
  const cached = countOf(its['cache_read_input_tokens'])
  const input = countOf(its['input_tokens'])
  const all = input === undefined ? undefined : input + (cached ?? 0) + (countOf(its['cache_creation_input_tokens']) ?? 0)
  return [{ kind: 'usage', usage: { input: all, cached, output: countOf(its['output_tokens']) } }]
}

function reasonEvents(reason: unknown): ModelEvent[] {
  return isReason(textOf(reason)) ? [{ kind: 'ends', reason: textOf(reason) }] : []
}
