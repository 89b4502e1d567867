import { z } from 'zod'
import { id, write } from '#base/contract.ts'
import { bulkSelection } from '#base/list.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { ban, EndsTooSoon, HeldLonger, moment, reason } from '#member/contract.ts'

/** The bulk form of an endpoint, applied to each member as the single form is: members whom it refuses are left out and reported. */
function bulkOf<Shape extends z.ZodRawShape>(does: string, shape: Shape) {
  return {
    summary: `${does} More than fifty go on being done after the answer.`,
    input: z.object({ ...bulkSelection, ...shape }),
    ...bulkEndpoint,
  }
}

export const giveRoleToMany = write('/admin/member/giveRoleToMany', {
  ...bulkOf('Gives many members a role, until a moment or for good. Who has it for longer keeps it so.', {
    roleId: id,
    endsAt: moment.optional(),
  }),
  errors: [...bulkEndpoint.errors, EndsTooSoon, HeldLonger],
})
export const takeRoleFromMany = write('/admin/member/takeRoleFromMany', bulkOf('Takes a role from many members.', { roleId: id }))
export const banMany = write('/admin/member/banMany', {
  ...bulkOf('Keeps many members from some things, until a moment or for good. Each is told.', ban),
  errors: [...bulkEndpoint.errors, EndsTooSoon],
})
export const disableMany = write('/admin/member/disableMany', bulkOf('Keeps many members out until staff let them in again.', { reason }))
export const enableMany = write('/admin/member/enableMany', bulkOf('Lets many members in again.', {}))
export const endSessionsOfMany = write(
  '/admin/member/endSessionsOfMany',
  bulkOf('Ends all sessions of many members, which nothing brings back.', {}),
)
