import { z } from 'zod'
import { Fault } from '#batch/contract.ts'
import { id, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { maxLength } from '#report/contract.ts'
import { version } from '#report/staff-contract.ts'

export const dismissCases = write('/admin/report/dismiss', {
  summary: 'Dismisses the reports on several posts for one reason and notifies the reporters. Posts changed since are skipped and listed.',
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
