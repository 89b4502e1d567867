import { z } from 'zod'
import { nothing, stream } from '#base/contract.ts'

export const findingStates = ['bad', 'warn', 'unknown', 'ok'] as const

/** What a check has found: a word with its values. Unless all is well, the word with `Cure` says what to do. */
export const FindingView = z.object({
  state: z.enum(findingStates),
  word: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type FindingView = z.infer<typeof FindingView>

export const examine = stream('/admin/maintenance/examine', {
  summary: 'Checks the forum as its visitors reach it, its machine, its database and its work, and sends each finding as it comes.',
  input: nothing,
  output: FindingView,
  availableWhile: 'closed',
})
