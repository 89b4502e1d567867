import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'

export const endMemberTokens = write('/admin/member/endTokens', {
  summary: 'Ends all tokens of a member’s programs. Their sessions stay.',
  input: z.object({ memberId: id }),
  output: nothing,
})
