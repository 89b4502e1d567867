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
  kind: z.enum(['waiting', 'text', 'restart', 'made']),
  text: z.string().optional(),
  made: GeneratedText.optional(),
})
export type GeneratedPiece = z.infer<typeof GeneratedPiece>

const streamed = { output: GeneratedPiece, errors: [...runRefusals, NothingThere] } as const
const draft = typedString.max(maxMarkdownLength)

export const summarise = stream('/assistant/summarise', {
  summary: 'Summarizes a thread, or its unread part, in the member’s language, as a stream.',
  input: z.object({
    topicId: id,
    isNewOnly: z.boolean().default(false),
    /** The member's read position before this visit, since the visible page counts as read already. */
    readTo: z.number().int().min(0).max(2_000_000_000).optional(),
  }),
  ...streamed,
})

export const translate = stream('/assistant/translate', {
  summary: 'Translates a post into Chinese or English, as a stream.',
  input: z.object({ kind: z.enum(kinds), postId: id, into: z.enum(['zh', 'en']) }),
  ...streamed,
})

export const improve = stream('/assistant/improve', {
  summary: 'Improves a draft in its own language, as a stream. Nothing is published.',
  input: z.object({ text: draft, wish: plainString.max(500).default('') }),
  ...streamed,
})

export const suggest = stream('/assistant/suggest', {
  summary: 'Suggests titles for a draft, and tags in which the member may post, as a stream.',
  input: z.object({ text: draft, thread: z.enum(threadKinds) }),
  ...streamed,
})
