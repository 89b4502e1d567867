export const protocols = ['openai', 'anthropic'] as const
export type Protocol = (typeof protocols)[number]
