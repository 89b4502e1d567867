export const protocols = ['openai', 'anthropic'] as const
export type Protocol = (typeof protocols)[number]

/** The parts of a request that some models refuse. It is then sent without them, or in another form. */
export const requestParts = ['max_tokens', 'max_completion_tokens', 'stream_options', 'stream', 'tool_choice', 'tools', 'system'] as const
export type RequestPart = (typeof requestParts)[number]
