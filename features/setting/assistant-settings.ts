import { z } from 'zod'

/** The switch and limits of the assistant, and the label for AI-generated content. Models are configured separately. */
export const assistantSettings = {
  /** The AI label of posts: off; authors may declare it; the form asks them to. */
  aiLabels: { schema: z.enum(['off', 'declare', 'ask']), standard: 'declare' },
  /** Programs read with the access of the member whose token they use, and write drafts. */
  allowMcp: { schema: z.boolean(), standard: false },
  allowAssistant: { schema: z.boolean(), standard: false },
  /** Per member and day of the site. */
  assistantAnswersPerDay: { schema: z.int().min(1).max(10_000), standard: 50 },
  assistantTokensPerDay: { schema: z.int().min(1_000).max(100_000_000), standard: 300_000 },
  /** For the whole site and month, in cents; at 0 only free models answer. */
  assistantCentsPerMonth: { schema: z.int().min(0).max(99_999_999), standard: 10_000 },
  /** Concurrent answers. */
  assistantStreamsPerMember: { schema: z.int().min(1).max(20), standard: 2 },
  assistantStreams: { schema: z.int().min(1).max(10_000), standard: 200 },
  /** Idle conversations are deleted after this time. */
  assistantKeptDays: { schema: z.int().min(1).max(3_650), standard: 90 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
