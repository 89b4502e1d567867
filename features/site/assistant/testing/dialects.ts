import type { PresetName } from '#assistant/presets.ts'
import type { RequestPart } from '#assistant/protocols.ts'

/** What a provider of the presets sends, in its own words. Each whole answer is "It is tea." */
export type Dialect = {
  /** The stream of an answer. */
  whole: string
  /** Its tokens. */
  tokens: { input: number; cached: number; output: number }
  /** The stream of half an answer that ends for a reason of this provider. */
  failed: string
  /** The refusal of one that is busy, with the header of the time to wait. */
  busy: { body: string; headers: Record<string, string> }
  /** The refusal of a part of the request, if it is known for one. */
  refusal?: { parts: RequestPart[]; body: string }
}

const data = (...events: unknown[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
const named = (...events: { type: string; [field: string]: unknown }[]) =>
  events.map((event) => `event: ${event.type}\n${data(event)}`).join('')

const base = { id: 'chatcmpl-9', object: 'chat.completion.chunk', created: 1_764_000_000, model: 'test' }
const piece = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  ...base,
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  ...more,
})
const words = (more: object = {}) => ['It ', 'is ', 'tea.'].map((content) => piece({ content }, null, more))
const count = (more: object = {}) => ({ prompt_tokens: 40, completion_tokens: 9, total_tokens: 49, ...more })
const cached = { prompt_tokens_details: { cached_tokens: 30 }, completion_tokens_details: { reasoning_tokens: 4 } }
const tokens = { input: 40, cached: 30, output: 9 }
const half = (reason: string) => data(piece({ role: 'assistant', content: 'It is' }), piece({ content: '' }, reason), '[DONE]')

export const dialects: Record<PresetName, Dialect> = {
  openai: {
    whole: data(
      piece({ role: 'assistant', content: '', refusal: null }, null, { usage: null, service_tier: 'default', obfuscation: 'x9' }),
      ...words({ usage: null, obfuscation: 'aB' }),
      piece({}, 'stop', { usage: null }),
      { ...base, choices: [], usage: count(cached) },
      '[DONE]',
    ),
    tokens,
    failed: data(piece({ role: 'assistant', content: 'It is' }), { error: { message: 'The server had an error', type: 'server_error' } }),
    busy: {
      body: '{"error":{"message":"Rate limit reached for test. Please try again in 120ms.","type":"requests","code":"rate_limit_exceeded"}}',
      headers: {},
    },
    refusal: {
      parts: ['max_tokens'],
      body: `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`,
    },
  },
  aliyun: {
    whole: data(
      piece({ role: 'assistant', content: null, reasoning_content: '用户问茶。' }),
      ...words({ usage: null, system_fingerprint: null }),
      piece({ content: '' }, 'stop'),
      { ...base, choices: [], usage: count(cached) },
      '[DONE]',
    ),
    tokens,
    failed: half('content_filter'),
    busy: {
      body: '{"error":{"code":"limit_requests","param":null,"message":"You have exceeded your current request limit."},"request_id":"r-1"}',
      headers: { 'retry-after': '1' },
    },
  },
  volcano: {
    whole: data(
      piece({ role: 'assistant', content: '', reasoning_content: 'Tea?' }, null, { service_tier: 'default' }),
      ...words({ service_tier: 'default' }),
      { ...piece({ role: 'assistant', content: '' }, 'stop'), moderation_hit_type: null },
      { ...base, choices: [], usage: count(cached) },
      '[DONE]',
    ),
    tokens,
    failed: half('length'),
    busy: {
      body: '{"error":{"code":"ServerOverloaded","message":"The service is currently unable to handle additional requests","type":"TooManyRequests"}}',
      headers: { 'retry-after': '1' },
    },
  },
  deepseek: {
    whole: [
      ': keep-alive\n\n',
      data(piece({ role: 'assistant', content: null, reasoning_content: 'Tea.' }), ...words()),
      ': keep-alive\n\n',
      data(piece({ content: '' }, 'stop', { usage: count({ prompt_cache_hit_tokens: 30, prompt_cache_miss_tokens: 10 }) }), '[DONE]'),
    ].join(''),
    tokens,
    failed: half('insufficient_system_resource'),
    busy: { body: '{"error":{"message":"Rate limit reached","type":"rate_limit_error"}}', headers: { 'retry-after': '1' } },
  },
  moonshot: {
    whole: data(
      piece({ role: 'assistant', content: '' }),
      ...words(),
      { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: count({ cached_tokens: 30 }) }] },
      '[DONE]',
    ),
    tokens,
    failed: half('a_reason_that_nobody_knows'),
    busy: {
      body: '{"error":{"message":"Your account org-1 request reached organization max RPM: 3, please try again after 1 seconds","type":"rate_limit_reached_error"}}',
      headers: {},
    },
  },
  anthropic: {
    whole: named(
      {
        type: 'message_start',
        ...message({ input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 30, output_tokens: 1 }),
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...['It ', 'is ', 'tea.'].map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ),
    tokens,
    failed: named(
      { type: 'message_start', ...message({ input_tokens: 10, output_tokens: 1 }) },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is' } },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ),
    busy: { body: '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}', headers: { 'retry-after': '1' } },
    refusal: {
      parts: ['max_tokens'],
      body: '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for test"}}',
    },
  },
  ollama: {
    whole: data(
      piece({ role: 'assistant', content: '', reasoning: 'Tea.' }, null, { system_fingerprint: 'fp_ollama' }),
      ...words({ system_fingerprint: 'fp_ollama' }),
      piece({ role: 'assistant', content: '' }, 'stop'),
      { ...base, choices: [], usage: count() },
      '[DONE]',
    ),
    tokens: { ...tokens, cached: 0 },
    failed: half('unload'),
    busy: {
      body: '{"error":{"message":"server busy, please try again.  maximum pending requests exceeded"}}',
      headers: { 'retry-after': '1' },
    },
    refusal: {
      parts: ['tools'],
      body: '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}',
    },
  },
  vllm: {
    whole: data(
      piece({ role: 'assistant', content: '', reasoning_content: null }, null, { prompt_token_ids: null }),
      ...words(),
      { ...base, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', stop_reason: null, token_ids: null }] },
      { ...base, choices: [], usage: count({ prompt_tokens_details: { cached_tokens: 30 } }) },
      '[DONE]',
    ),
    tokens,
    failed: half('abort'),
    busy: { body: '{"object":"error","message":"Too many requests","type":"RateLimitError","code":429}', headers: { 'retry-after': '1' } },
    refusal: {
      parts: ['tools'],
      body: '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
    },
  },
}

function message(usage: object) {
  return { message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'test', content: [], stop_reason: null, usage } }
}
