import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { kinds } from '#contact/contract.ts'
import { LastWay, reason, SpeaksForStaff, WayGone } from '#member/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'

const memberAndReason = { memberId: id, reason }
const errors = [WayGone, LastWay, SpeaksForStaff, MoreThanOwn]

export const unlinkOfMember = write('/admin/member/identity/unlink', {
  summary: 'Unlinks an external identity from a member’s account, and notifies the member.',
  input: z.object({ ...memberAndReason, identityId: id }),
  output: nothing,
  errors,
})

export const unbindOfMember = write('/admin/member/contact/unbind', {
  summary: 'Unbinds the phone number or the e-mail address of a member, and notifies the member.',
  input: z.object({
    ...memberAndReason,
    kind: z.enum(kinds),
    /** The binding that staff saw: a later one stays. */ boundAt: z.iso.datetime(),
  }),
  output: nothing,
  errors,
})

export const removePasskeyOfMember = write('/admin/member/passkey/remove', {
  summary: 'Removes a passkey of a member, and notifies the member.',
  input: z.object({ ...memberAndReason, passkeyId: id }),
  output: nothing,
  errors,
})
