import { z } from 'zod'
import { Fault } from '#batch/contract.ts'
import { id, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { maxLength } from '#report/contract.ts'
import { version } from '#report/staff-contract.ts'

export const dismissCases = write('/admin/report/dismiss', {
  summary:
    'Decides that the reports on many posts were not right, all for one reason, and tells whoever reported. Each post must be as it was read; what cannot be decided is told post by post, and the rest is.',
  input: z.object({
    cases: z
      .array(z.object({ caseId: id, version }))
      .min(1)
      .max(200),
    /** Shown to the reporters. */
    result: plainString.max(maxLength.result).default(''),
    /** Shown to staff only. */
    remark: plainString.max(maxLength.result).default(''),
  }),
  output: z.object({ done: z.number(), faults: z.array(Fault) }),
})
