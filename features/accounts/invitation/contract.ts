import { z } from 'zod'
import { id, nothing, read, refusal, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { codeField } from '#base/secret-input.ts'
import { AuthorView } from '#user/contract.ts'

export const InvitationNeeded = refusal('invitation.needed', { field: 'invitation' })
/** The code is unknown, used, revoked or expired: the refusal does not say which. */
export const InvitationWrong = refusal('invitation.wrong', { field: 'invitation' })
export const TooManyInvitations = refusal('invitation.tooMany')

/** Beside the other fields of a registration. */
export const invitationField = { invitation: codeField.max(64).optional() }
export const invitationRefusals = [InvitationNeeded, InvitationWrong]

export const invitationStates = ['open', 'used', 'late', 'revoked'] as const
export const note = plainString.max(200)

export const Invitation = z.object({
  id: z.string(),
  /** Null where the sealing key is lost. */
  code: z.string().nullable(),
  link: z.string().nullable(),
  state: z.enum(invitationStates),
  note: z.string(),
  madeAt: time,
  until: time.nullable(),
})

export const myInvitations = read('/user/control/invitations', {
  summary: 'The member’s invitations with the members who used them, and the remaining number.',
  input: nothing,
  output: z.object({
    mayInvite: z.boolean(),
    left: z.number(),
    aMonth: z.number(),
    /** The newest hundred. */
    invitations: z.array(Invitation.extend({ joined: z.array(AuthorView) })),
  }),
})

export const makeInvitation = write('/user/control/invitation/add', {
  summary: 'Creates an invitation for one registration, valid for 30 days.',
  input: z.object({ note: note.default('') }),
  output: z.object({ code: z.string(), link: z.string() }),
  errors: [TooManyInvitations],
})

export const revokeMyInvitation = write('/user/control/invitation/revoke', {
  summary: 'Revokes one of the member’s invitations.',
  input: z.object({ invitationId: id }),
  output: nothing,
})
