import { fieldsOf, listOf, textOf, type Fields } from '#assistant/server/protocol/lenient.ts'
import type { Protocol, RequestPart } from '#assistant/protocols.ts'

/** The limit where a protocol demands one, and a model refused ours: every model allows so much. */
const leastOutputTokens = 4_096

/** The body of a request without the parts that its model refuses. */
export function withoutParts(protocol: Protocol, body: string, refused: readonly RequestPart[]): string {
  if (refused.length === 0) return body
  const { max_tokens, stream_options, tool_choice, stream, ...rest } = JSON.parse(body) as Fields
  const has = (part: RequestPart) => !refused.includes(part)
  return JSON.stringify({
    ...(has('system') ? rest : withoutSystem(rest)),
    ...(has('max_tokens') ? { max_tokens } : otherLimit(protocol, Number(max_tokens), refused)),
    ...(has('stream') && { stream }),
    ...(has('stream') && has('stream_options') && { stream_options }),
    ...(has('tool_choice') && { tool_choice }),
  })
}

function otherLimit(protocol: Protocol, limit: number, refused: readonly RequestPart[]): Fields {
  if (protocol === 'anthropic') return { max_tokens: Math.min(limit, leastOutputTokens) }
  return refused.includes('max_completion_tokens') ? {} : { max_completion_tokens: limit }
}

/** The instructions become the beginning of the first message. */
function withoutSystem({ system, messages, ...rest }: Fields): Fields {
  const all = listOf(messages).map(fieldsOf)
  const instructions = [system, ...all.filter(({ role }) => role === 'system').map(({ content }) => content)]
    .map(contentText)
    .filter(Boolean)
  const [first = {}, ...others] = all.filter(({ role }) => role !== 'system')
  const content = typeof first['content'] === 'string' ? [{ type: 'text', text: first['content'] }] : listOf(first['content'])
  const text = [...instructions, ...content.map((part) => textOf(fieldsOf(part)['text']))].join('\n\n')
  return { ...rest, messages: instructions.length === 0 ? all : [{ ...first, content: text }, ...others] }
}

function contentText(content: unknown): string {
  return (
    textOf(content) ||
    listOf(content)
      .map((part) => textOf(fieldsOf(part)['text']))
      .join('\n')
  )
}
