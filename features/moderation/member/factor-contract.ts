import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { SpeaksForStaff } from '#member/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'

export const removeMemberFactor = write('/admin/member/secondFactor/remove', {
  summary: 'Turns off the second factor of a member who lost phone and recovery codes, and notifies the member.',
  input: z.object({ memberId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [SpeaksForStaff, MoreThanOwn],
})
