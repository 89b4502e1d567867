import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plain } from '#base/plain-text.ts'
import { kinds } from '#kind/contract.ts'

export const labelPost = write('/admin/post/labelAi', {
  does: 'Labels a post as AI-generated content, or takes the label off. Its author is told, and cannot take it off.',
  takes: z.object({ kind: z.enum(kinds), id, isLabelled: z.boolean(), reason: plain.max(300).default('') }),
  gives: nothing,
})
