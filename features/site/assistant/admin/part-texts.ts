import type { RequestPart } from '#assistant/protocols.ts'

/** The text that names a part of a request. */
export const partTexts = {
  max_tokens: 'partmaxTokens',
  max_completion_tokens: 'partmaxCompletionTokens',
  stream_options: 'partstreamOptions',
  stream: 'partstream',
  tool_choice: 'parttoolChoice',
  tools: 'parttools',
  system: 'partsystem',
} as const satisfies Record<RequestPart, string>
