import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Step } from '#assistant/server/stand-in.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { serve } from '#base/testing/fake-server.ts'

type Block = { type: string; content?: unknown }

/** A message request in Anthropic's protocol, as far as tests read it. */
export type MessageRequest = {
  model: string
  system?: unknown
  max_tokens: number
  messages: { role: string; content: string | Block[] }[]
  tools?: { name: string }[]
}

export type AnthropicScript = (request: MessageRequest, headers: IncomingMessage['headers']) => Step

/** A local provider that streams Anthropic's protocol and follows its script. */
export async function anAnthropicProvider(script: AnthropicScript) {
  const requests: MessageRequest[] = []
  const { address, close } = await serve(() => async (request, response) => {
    const message = JSON.parse(await text(request)) as MessageRequest
    requests.push(message)
    answer(response, script(message, request.headers))
  })
  afterFile(close)
  return { address: `${address}/v1`, asked: requests }
}

function answer(response: ServerResponse, step: Step): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, its: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...its })}\n\n`)
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stand-in',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  send('message_start', { message: { ...message, usage: { input_tokens: 30, cache_read_input_tokens: 10, output_tokens: 1 } } })
  if ('calls' in step) {
    send('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: step.calls.name, input: {} } })
    send('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: JSON.stringify(step.calls.input) } })
  } else {
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    for (const piece of step.says) send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } })
  }
  send('content_block_stop', { index: 0 })
  const delta = { stop_reason: 'calls' in step ? 'tool_use' : 'end_turn', stop_sequence: null }
  send('message_delta', { delta, usage: { output_tokens: 7 } })
  send('message_stop', {})
  response.end()
}
