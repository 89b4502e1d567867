import { z } from 'zod'

/** The switch and the limits of the assistant, and whether posts say what a model wrote. Models are set up apart. */
export const assistantSettings = {
  /** Whether posts carry a label of AI-generated content: no; authors may declare it; the form says that they must. */
  aiLabels: { takes: z.enum(['off', 'declare', 'ask']), standard: 'declare' },
  /** Programs read what the members who made their tokens may read, and write drafts. */
  allowMcp: { takes: z.boolean(), standard: false },
  allowAssistant: { takes: z.boolean(), standard: false },
  /** For a member in a day of the site. */
  assistantAnswersADay: { takes: z.int().min(1).max(10_000), standard: 50 },
  assistantTokensADay: { takes: z.int().min(1_000).max(100_000_000), standard: 300_000 },
  /** For all in a month of the site, in cents; at 0 only models that cost nothing answer. */
  assistantCentsAMonth: { takes: z.int().min(0).max(99_999_999), standard: 10_000 },
  /** Answers that are written at once. */
  assistantStreamsOfMember: { takes: z.int().min(1).max(20), standard: 2 },
  assistantStreams: { takes: z.int().min(1).max(10_000), standard: 200 },
  /** Conversations that rest for so long are deleted. */
  assistantKeptDays: { takes: z.int().min(1).max(3_650), standard: 90 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
