import { z } from 'zod'
import { id, write } from '#base/contract.ts'
import { NothingChecked, reason } from '#member/contract.ts'
import { documents } from '#real-name/contract.ts'

export const showRealName = write('/admin/member/realName/show', {
  summary: 'Returns the verified name, document number and birthday of a member. Logs the access with its reason and notifies the member.',
  input: z.object({ memberId: id, reason }),
  output: z.object({ document: z.enum(documents), name: z.string(), number: z.string(), birthday: z.iso.date() }),
  errors: [NothingChecked],
})
