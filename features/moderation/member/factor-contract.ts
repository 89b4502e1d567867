import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { SpeaksForStaff } from '#member/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'

export const removeMemberFactor = write('/admin/member/secondFactor/remove', {
  summary: 'Asks a member who lost phone and codes for no codes any more, and tells them.',
  input: z.object({ memberId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [SpeaksForStaff, MoreThanOwn],
})
