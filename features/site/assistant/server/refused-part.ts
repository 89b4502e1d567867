import type { RequestPart } from '#assistant/protocols.ts'
import { statusOf, isCallError } from '#assistant/server/failure.ts'
import { fieldsOf, listOf, textOf } from '#assistant/server/protocol/lenient.ts'
import type { Model } from '#assistant/server/models.ts'

// 404 is the answer of gateways that find no provider with tools, 501 that of servers without them; some of those say 500.
const statuses = [400, 404, 405, 415, 422, 500, 501]
/** What a refusal has to say where the status tells of a fault. */
const refusing = /support|requir|not (allow|permit)/i

/** What names a part in a refusal, in the order in which they are looked for: some names are a part of others. */
const names: Readonly<Partial<Record<RequestPart, RegExp>>> = {
  max_tokens: /max_(completion_|new_|output_)?tokens/i,
  stream_options: /stream_options|include_usage/i,
  tool_choice: /tool_choice/i,
  tools: /\btools?\b|function[ _-]?call|工具|函数调用/i,
  system:
    /^(?=.*(support|allow|accept|permit|unknown|invalid|must|不支持)).*(\bsystem\b.{0,60}\b(role|message|prompt|instruction)|\brole\b.{0,80}\bsystem\b|系统)/is,
  stream: /^(?=.*(support|allow|accept|permit|unknown|invalid|must|不支持)).*(\bstream(ing|ed)?\b|流式)/is,
}

/** The further parts that a refused request can do without, by the provider's message; none where it names none. */
export function partsRefusedIn(error: unknown, { protocol, refusedParts }: Model): RequestPart[] {
  if (!isCallError(error) || !statuses.includes(statusOf(error))) return []
  const says = messageIn(error.responseBody ?? '')
  if (statusOf(error) === 500 && !refusing.test(says)) return []
  const sent = fieldsOf(error.requestBodyValues)
  const isSent: Partial<Record<RequestPart, boolean>> = {
    max_tokens: !refusedParts.includes(
      protocol === 'openai' && refusedParts.includes('max_tokens') ? 'max_completion_tokens' : 'max_tokens',
    ),
    stream_options: protocol === 'openai' && !refusedParts.includes('stream'),
    tool_choice: sent['tool_choice'] !== undefined,
    // A model that has called one takes tools, whatever it says of their results.
    tools: listOf(sent['tools']).length > 0 && !listOf(sent['messages']).some((message) => fieldsOf(message)['role'] === 'tool'),
  }
  for (const [part, name] of Object.entries(names) as [RequestPart, RegExp][]) {
    if (!name.test(says) || isSent[part] === false || (part !== 'max_tokens' && refusedParts.includes(part))) continue
    return part === 'max_tokens' && protocol === 'openai' ? limitsRefused(says, refusedParts) : [part]
  }
  return []
}

// A limit has two names. A refusal that only speaks of one is no advice to use the other.
function limitsRefused(says: string, before: readonly RequestPart[]): RequestPart[] {
  if (before.includes('max_tokens')) return ['max_completion_tokens']
  return /max_completion_tokens/i.test(says) ? ['max_tokens'] : ['max_tokens', 'max_completion_tokens']
}

const spokenFields = ['message', 'msg', 'param', 'loc', 'detail', 'error', 'errors', 'error_msg', 'reason', 'title', 'description']
const maxMessageLength = 2_000

/** The provider's own words in the body of a refusal, without what it repeats of the request. */
function messageIn(body: string): string {
  try {
    return wordsIn(JSON.parse(body)).slice(0, maxMessageLength)
  } catch {
    return body.slice(0, maxMessageLength) // no JSON
  }
}

function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsIn).join(' ')
  const fields = fieldsOf(value)
  return [textOf(value), ...spokenFields.map((name) => fields[name]).map((inner) => (inner === undefined ? '' : wordsIn(inner)))].join(' ')
}
