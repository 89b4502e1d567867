import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { kinds } from '#kind/contract.ts'

export const labelPost = write('/admin/post/labelAi', {
  summary: 'Labels a post as AI-generated content, or takes the label off. Its author is told, and cannot take it off.',
  input: z.object({ kind: z.enum(kinds), id, isLabelled: z.boolean(), reason: plainString.max(300).default('') }),
  output: nothing,
})
