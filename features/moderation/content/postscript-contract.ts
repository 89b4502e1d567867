import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { OwnCase } from '#staff/contract.ts'

const ofPostscript = { topicId: id, number: z.number().int().min(1).max(1000) }
export const removePostscript = write('/admin/postscript/remove', {
  summary: 'Removes an addendum of a question. The asker is notified of the reason.',
  input: z.object({ ...ofPostscript, reason: plainString.min(1).max(300) }),
  output: nothing,
})
export const restorePostscript = write('/admin/postscript/restore', {
  summary: 'Restores a removed addendum of a question. Not available to its asker.',
  input: z.object({ ...ofPostscript, reason: plainString.max(300).default('') }),
  output: nothing,
  errors: [OwnCase],
})
