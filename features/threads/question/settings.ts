import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Questions, and answers with their replies. */
export const settings = {
  allowQuestions: { group: 'open', schema: z.boolean(), default: true },
  allowQuestionEdits: { group: 'open', schema: z.boolean(), default: true },
  allowQuestionClosing: { group: 'open', schema: z.boolean(), default: true },
  allowAnswers: { group: 'open', schema: z.boolean(), default: true },
  allowAnswerReplies: { group: 'open', schema: z.boolean(), default: true },
} as const satisfies SettingDeclarations
