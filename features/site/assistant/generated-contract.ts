import { z } from 'zod'
import { id, stream } from '#base/contract.ts'
import { maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { plainString, typedString } from '#base/plain-text.ts'
import { runRefusals, SourceView, NothingThere } from '#assistant/contract.ts'
import { kinds, threadKinds } from '#kind/contract.ts'

/** A text that a model generated from another one. */
export const GeneratedText = z.object({
  /** Markdown. Links lead to sources, or to targets of the original text. */
  text: z.string(),
  sources: z.array(SourceView),
  /** Served from the cache. */
  isKept: z.boolean(),
  isStandIn: z.boolean(),
  /** The last floor that was read, where the thread is longer than the model reads. */
  cutAt: z.number().nullable(),
  titles: z.array(z.string()).optional(),
  tagIds: z.array(z.string()).optional(),
})
export type GeneratedText = z.infer<typeof GeneratedText>

export const GeneratedPiece = z.object({
  kind: z.enum(['text', 'made']),
  text: z.string().optional(),
  made: GeneratedText.optional(),
})
export type GeneratedPiece = z.infer<typeof GeneratedPiece>

const streamed = { output: GeneratedPiece, errors: [...runRefusals, NothingThere] } as const
const draft = typedString.max(maxMarkdownLength)

export const summarise = stream('/assistant/summarise', {
  summary: 'Summarises a thread in my language: all of it, or what is new since I read it.',
  input: z.object({
    topicId: id,
    isNewOnly: z.boolean().default(false),
    /** My read position before this visit, since the visible page counts as read already. */
    readTo: z.number().int().min(0).max(2_000_000_000).optional(),
  }),
  ...streamed,
})

export const translate = stream('/assistant/translate', {
  summary: 'Translates a post into Chinese or English.',
  input: z.object({ kind: z.enum(kinds), postId: id, into: z.enum(['zh', 'en']) }),
  ...streamed,
})

export const improve = stream('/assistant/improve', {
  summary: 'Improves what I am writing, in its own language. Nothing of it is published.',
  input: z.object({ text: draft, wish: plainString.max(500).default('') }),
  ...streamed,
})

export const suggest = stream('/assistant/suggest', {
  summary: 'Suggests titles, and tags that I may post in, for what I am writing.',
  input: z.object({ text: draft, thread: z.enum(threadKinds) }),
  ...streamed,
})
