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
  summary:
    'What there is to know before I leave: what is left on my account, how many posts stand under my name, and whether I am about to be erased.',
  input: nothing,
  output: z.object({
    isStaff: z.boolean(),
    /** Whether my posts may be removed with the account. */
    mayRemovePosts: z.boolean(),
    posts: z.number(),
    left: z.array(sum),
    held: z.array(sum),
    eraseAt: z.iso.datetime().nullable(),
  }),
})

export const leave = write('/user/control/leave', {
  summary:
    'Ends all my sessions. Either I am away until I log in again; or my account is erased after seven days, unless I log in and stay.',
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
  summary: 'I stay: my account is not erased.',
  input: nothing,
  output: nothing,
  errors: [NotLeaving],
  availableWhile: 'readOnly',
})
