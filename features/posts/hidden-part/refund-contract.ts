import { z } from 'zod'
import { id, page, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { NothingToRefund, RefundedAlready } from '#hidden-part/contract.ts'
import { BooksFrozen, NotReversible, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

const reason = plainString.min(1).max(500)
const refundErrors = [NothingToRefund, OwnAccount, NotReversible, RequestWaits, BooksFrozen] as const

/** Limited, because the refunds of one transaction hold row locks together. */
export const maxPerBatch = 500

export const unlocksForStaff = read('/admin/hiddenPart/unlocks', {
  summary: 'Unlocks of the hidden parts of a topic, newest first, with the price paid.',
  input: z.object({ topicId: id, page: page.default(1) }),
  output: z.object({
    unlocks: z.array(
      z.object({
        id: z.string(),
        member: z.object({ id: z.string(), name: z.string() }),
        lock: z.enum(['password', 'points', 'balance']),
        /** In points, or in yuan for `balance`. */
        paid: z.string(),
        earned: z.string(),
        at: z.iso.datetime(),
        /** Null if nothing was paid. */
        transactionId: z.string().nullable(),
        /** The transaction that reversed the payment. */
        refundId: z.string().nullable(),
        /** A request to refund it waits for approval. */
        isWaiting,
        /** Whether the current actor may refund it. */
        canRefund: z.boolean(),
      }),
    ),
    /** The number of all purchases that the current actor may refund. */
    refundable: z.number(),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
  }),
})

export const refundUnlock = write('/admin/hiddenPart/refund', {
  summary: 'Refunds an unlock, debits its recipients (down to debt) and locks the part again. Above the limits it waits for approval.',
  input: z.object({ unlockId: id, reason }),
  /** The transaction is null while the request waits. */
  output: z.object({ isWaiting, transactionId: z.string().nullable() }),
  errors: [RefundedAlready, ...refundErrors],
})

export const refundTopic = write('/admin/hiddenPart/refundTopic', {
  summary: `Refunds up to ${maxPerBatch} paid unlocks of a topic, oldest first, except the actor’s own. Above the limits it waits for approval.`,
  input: z.object({ topicId: id, reason }),
  output: z.object({ isWaiting, refunded: z.number(), left: z.number() }),
  errors: [...refundErrors],
})
