import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { kinds } from '#kind/contract.ts'

export const labelPost = write('/admin/post/labelAi', {
  summary: 'Adds or removes the AI label of a post. The author is notified, and cannot remove a label that staff added.',
  input: z.object({ kind: z.enum(kinds), id, isLabelled: z.boolean(), reason: plainString.max(300).default('') }),
  output: nothing,
})
