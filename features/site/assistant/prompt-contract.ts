import { z } from 'zod'
import { UnknownPlaceholder } from '#assistant/contract.ts'
import { ChangedSince } from '#audit/contract.ts'
import { maxPromptTextLength, promptNames } from '#assistant/prompts.ts'
import { nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'

const one = { name: z.enum(promptNames), language: z.enum(['zh', 'en']) }
const typed = { text: plainString.min(1).max(maxPromptTextLength) }

const Version = z.object({ version: z.number(), at: z.iso.datetime(), by: z.string(), text: z.string(), isStandard: z.boolean() })

const PromptView = z.object({
  ...one,
  text: z.string(),
  isStandard: z.boolean(),
  /** 0 for the default. */
  version: z.number(),
  placeholders: z.array(z.string()),
  /** The safety rules that always follow it. */
  guard: z.string(),
  preview: z.string(),
  /** Earlier versions and this one, newest first. */
  history: z.array(Version),
})
export type PromptView = z.infer<typeof PromptView>

export const promptList = read('/admin/assistant/prompt/list', {
  summary: 'System prompts of the assistant in both languages, with earlier versions.',
  input: nothing,
  output: z.object({ prompts: z.array(PromptView) }),
})

export const previewPrompt = write('/admin/assistant/prompt/preview', {
  summary: 'Renders a system prompt with sample values. Nothing is stored.',
  input: z.object({ ...one, ...typed }),
  output: z.object({ preview: z.string() }),
  errors: [UnknownPlaceholder],
  availableWhile: 'readOnly',
})

export const editPrompt = write('/admin/assistant/prompt/edit', {
  summary: 'Changes a system prompt in one language. The safety rules are always appended.',
  input: z.object({ ...one, ...typed, version: z.int().min(0) }),
  output: nothing,
  errors: [UnknownPlaceholder, ChangedSince],
})

export const returnPrompt = write('/admin/assistant/prompt/return', {
  summary: 'Resets a system prompt to its default in one language.',
  input: z.object({ ...one, version: z.int().min(0) }),
  output: nothing,
  errors: [ChangedSince],
})
