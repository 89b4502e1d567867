import { z } from 'zod'
import { id, write } from '#base/contract.ts'
import { NothingChecked, reason } from '#member/contract.ts'
import { documents } from '#real-name/contract.ts'

export const showRealName = write('/admin/member/realName/show', {
  summary:
    'Who a member is in truth: the name, number and birthday that were checked. The log keeps why staff looked, and the member is told that they did.',
  input: z.object({ memberId: id, reason }),
  output: z.object({ document: z.enum(documents), name: z.string(), number: z.string(), birthday: z.iso.date() }),
  errors: [NothingChecked],
})
