import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The switch and limits of the assistant. Models are configured separately. */
export const settings = {
  allowAssistant: { group: 'assistant', schema: z.boolean(), default: false },
  /** Per member and day of the site. */
  assistantAnswersPerDay: { group: 'assistant', schema: z.int().min(1).max(10_000), default: 50 },
  assistantTokensPerDay: { group: 'assistant', schema: z.int().min(1_000).max(100_000_000), default: 300_000 },
  /** For the whole site and month, in cents; at 0 only free models answer. */
  assistantCentsPerMonth: { group: 'assistant', schema: z.int().min(0).max(99_999_999), default: 10_000 },
  /** Concurrent answers. */
  assistantStreamsPerMember: { group: 'assistant', schema: z.int().min(1).max(20), default: 2 },
  assistantStreams: { group: 'assistant', schema: z.int().min(1).max(10_000), default: 200 },
  /** Idle conversations are deleted after this time. */
  assistantKeptDays: { group: 'assistant', schema: z.int().min(1).max(3_650), default: 90 },
} as const satisfies SettingDeclarations
