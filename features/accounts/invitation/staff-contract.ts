import { z } from 'zod'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'
import { invitationStates, note } from '#invitation/contract.ts'
import { AuthorView } from '#user/contract.ts'

const state = field.choice(invitationStates, (name) => `state${name}`)

export const invitationList = staffList('/admin/invitation/list', {
  summary: 'Invitations by staff and members, with their use counts.',
  words: 'invitationAdmin',
  columns: {
    madeAt: field.labelled('made', field.time),
    by: field.composed,
    note: field.text,
    used: field.number,
    until: field.orNull(field.time),
    state,
    actions: field.composed,
  },
  values: {
    uses: z.number(),
    /** Null where the sealing key is lost. */
    code: z.string().nullable(),
    link: z.string().nullable(),
    /** The staff account; null where a member made it. */
    staff: z.string().nullable(),
    member: AuthorView.nullable(),
  },
  filters: { state, of: field.labelled('from', field.choice(['staff', 'members'])) },
  sorts: { made: 'madeAt' },
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
  output: z.object({ joined: z.array(z.object({ member: AuthorView, at: time })) }),
})
