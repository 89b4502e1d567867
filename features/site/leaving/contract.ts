import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'

export const StaffStay = refusal('leaving.staffStay')
/** The account still has points or money, or some is held for it. */
export const GiveUpFirst = refusal('leaving.giveUpFirst', { field: 'givesUp' })
export const LeavingAlready = refusal('leaving.already', { status: 409 })
export const NotLeaving = refusal('leaving.notLeaving', { status: 409 })

/** The days until an account is erased, in which its owner can stay. */
export const graceDays = 7

export const leaveMethods = ['away', 'erase'] as const
export const postsOnLeaving = ['stay', 'remove'] as const

const sum = z.object({ currency: z.enum(['points', 'cny']), amount: z.string() })

export const leaving = read('/user/control/leave', {
  summary: 'Data for leaving the site: remaining points and balance, number of posts, and the time of a scheduled erasure.',
  input: nothing,
  output: z.object({
    isStaff: z.boolean(),
    /** Whether the member’s posts may be removed with the account. */
    mayRemovePosts: z.boolean(),
    posts: z.number(),
    left: z.array(sum),
    held: z.array(sum),
    eraseAt: z.iso.datetime().nullable(),
  }),
})

export const leave = write('/user/control/leave', {
  summary: 'Ends all sessions, and deactivates the account until the next sign-in, or erases it after seven days unless canceled.',
  input: z.object({
    way: z.enum(leaveMethods),
    posts: z.enum(postsOnLeaving).default('stay'),
    /** Confirms the loss of points and balance, including held ones. */
    givesUp: z.boolean().default(false),
  }),
  output: nothing,
  errors: [StaffStay, GiveUpFirst, LeavingAlready, FunctionClosed, ProveAgain],
  availableWhile: 'readOnly',
})

export const stay = write('/user/control/leave/stay', {
  summary: 'Cancels the scheduled erasure of the member’s account.',
  input: nothing,
  output: nothing,
  errors: [NotLeaving],
  availableWhile: 'readOnly',
})
