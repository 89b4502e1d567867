import { z } from 'zod'
import { id, write } from '#base/contract.ts'
import { bulkSelection } from '#base/list.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { ban, EndsTooSoon, HeldLonger, moment, reason } from '#member/contract.ts'

/** The bulk form of an endpoint, applied to each member as the single form is: members whom it refuses are left out and reported. */
function bulkOf<Shape extends z.ZodRawShape>(does: string, shape: Shape) {
  return {
    summary: `${does} Batches of more than 50 continue in the background.`,
    input: z.object({ ...bulkSelection, ...shape }),
    ...bulkEndpoint,
  }
}

export const giveRoleToMany = write('/admin/member/giveRoleToMany', {
  ...bulkOf('Gives several members a role, until a given time or permanently; never shortens a role that is held.', {
    roleId: id,
    endsAt: moment.optional(),
  }),
  errors: [...bulkEndpoint.errors, EndsTooSoon, HeldLonger],
})
export const takeRoleFromMany = write('/admin/member/takeRoleFromMany', bulkOf('Removes a role from several members.', { roleId: id }))
export const banMany = write('/admin/member/banMany', {
  ...bulkOf('Bans several members from functions, until a given time or permanently, and notifies each.', ban),
  errors: [...bulkEndpoint.errors, EndsTooSoon],
})
export const disableMany = write('/admin/member/disableMany', bulkOf('Disables several members until staff enable them again.', { reason }))
export const enableMany = write('/admin/member/enableMany', bulkOf('Enables several disabled members.', {}))
export const endSessionsOfMany = write(
  '/admin/member/endSessionsOfMany',
  bulkOf('Ends all sessions of several members; cannot be undone.', {}),
)
