import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { kinds } from '#kind/contract.ts'
import { PostView } from '#notification/contract.ts'
import { Banned } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { SaidAlready } from '#writing/contract.ts'

/** The number of hours in which members may restore their own deleted posts. */
export const restorableHours = 24

/** The reasons for which a restore fails. */
export const TooLateToRestore = refusal('post.tooLateToRestore')
/** A bounty that was refunded at the deletion is not taken again. */
export const BountyWentBack = refusal('post.bountyWentBack', { status: 409 })
export const EnvelopeWentBack = refusal('post.envelopeWentBack', { status: 409 })
export const BuyersRefunded = refusal('post.buyersRefunded', { status: 409 })
/** Staff have decided about the post since. */
export const DecidedSince = refusal('post.decidedSince', { status: 409 })

export const deletedList = read('/user/control/deletedList', {
  summary: 'Posts that the member deleted within the last day and can restore, latest deletion first.',
  input: nothing,
  output: z.object({ posts: z.array(PostView.extend({ deletedAt: z.iso.datetime() })) }),
})

export const restorePost = write('/user/control/restorePost', {
  summary:
    'Restores a post that the member deleted within the last day. Fails after a staff decision, a refund or a duplicate post, and for forbidden words.',
  input: z.object({ kind: z.enum(kinds), id }),
  output: nothing,
  errors: [
    Banned,
    TooLateToRestore,
    BountyWentBack,
    EnvelopeWentBack,
    BuyersRefunded,
    DecidedSince,
    FunctionClosed,
    SaidAlready,
    WordsInField,
  ],
})
