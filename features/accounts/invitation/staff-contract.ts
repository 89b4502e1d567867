import { z } from 'zod'
import { id, nothing, read, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { Invitation, invitationStates, note } from '#invitation/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const invitationList = read('/admin/invitation/list', {
  summary: 'The invitations that staff and members made, with how often each was used.',
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
  summary: 'Makes an invitation for so many people, good for so many days or for good.',
  input: z.object({
    uses: z.int().min(1).max(1000).default(1),
    days: z.int().min(1).max(3650).optional(),
    note: note.default(''),
  }),
  output: z.object({ invitationId: z.string(), code: z.string(), link: z.string() }),
})

export const revokeInvitation = write('/admin/invitation/revoke', {
  summary: 'Lets nobody more come with an invitation. Who came stays.',
  input: z.object({ invitationId: id }),
  output: nothing,
})

export const joinedBy = read('/admin/invitation/joined', {
  summary: 'Who came with an invitation, first the first.',
  input: z.object({ invitationId: id }),
  output: z.object({ joined: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })) }),
})
