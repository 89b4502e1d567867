import { z } from 'zod'
import { id, nothing, read, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { Invitation, invitationStates, note } from '#invitation/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const invitationList = read('/admin/invitation/list', {
  summary: 'Invitations by staff and members, with their use counts.',
  input: listInput(['made'], {
    state: z.enum(invitationStates).optional(),
    of: z.enum(['staff', 'members']).optional(),
  }),
  output: listOutput(
    Invitation.extend({
      uses: z.number(),
      used: z.number(),
      /** The staff account; null where a member made it. */
      staff: z.string().nullable(),
      member: AuthorView.nullable(),
    }),
  ),
})

export const addInvitation = write('/admin/invitation/add', {
  summary: 'Creates an invitation with a maximum number of uses and days of validity, or without an expiry.',
  input: z.object({
    uses: z.int().min(1).max(1000).default(1),
    days: z.int().min(1).max(3650).optional(),
    note: note.default(''),
  }),
  output: z.object({ invitationId: z.string(), code: z.string(), link: z.string() }),
})

export const revokeInvitation = write('/admin/invitation/revoke', {
  summary: 'Revokes an invitation. Members who registered with it stay.',
  input: z.object({ invitationId: id }),
  output: nothing,
})

export const joinedBy = read('/admin/invitation/joined', {
  summary: 'Members who registered with an invitation, oldest first.',
  input: z.object({ invitationId: id }),
  output: z.object({ joined: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })) }),
})
