import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { kinds } from '#contact/contract.ts'
import { LastWay, reason, SpeaksForStaff, WayGone } from '#member/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'

const because = { memberId: id, reason }
const refuses = [WayGone, LastWay, SpeaksForStaff, MoreThanOwn]

export const unlinkOfMember = write('/admin/member/identity/unlink', {
  does: 'Lets somebody at another site lead into a member’s account no more, and tells the member.',
  takes: z.object({ ...because, identityId: id }),
  gives: nothing,
  refuses,
})

export const unbindOfMember = write('/admin/member/contact/unbind', {
  does: 'Frees the phone number or the e-mail address of a member, and tells the member.',
  takes: z.object({ ...because, kind: z.enum(kinds), /** Which it was that staff saw: another one stays. */ boundAt: z.iso.datetime() }),
  gives: nothing,
  refuses,
})

export const removePasskeyOfMember = write('/admin/member/passkey/remove', {
  does: 'Lets a passkey of a member log in no more, and tells the member.',
  takes: z.object({ ...because, passkeyId: id }),
  gives: nothing,
  refuses,
})
