import { z } from 'zod'
import { id, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { AboveRefundable, NothingToTakeBack, NotPaid } from '#payment/contract.ts'
import { yuan } from '#payment/staff-views.ts'
import { BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'

export const sandboxMoney = staffList('/admin/payment/sandbox', {
  summary: 'Members with money that the sandbox credited before other people could reach the site. Empty while the site is a trial.',
  words: 'paymentAdmin',
  columns: {
    member: field.person,
    /** Credited by the sandbox and not taken back yet. */
    credited: field.labelled('sandboxCredited', field.yuan),
    /** The part that was spent while it could be: the member will owe it. */
    spent: field.labelled('sandboxSpent', field.yuan),
    /** Negative if they owe. */
    balance: field.labelled('sandboxBalance', field.yuan),
    /** The part that waits for a second member of staff. */
    waiting: field.labelled('takeBack', field.yuan),
  },
  values: { isOwn: z.boolean() },
  filters: {},
  sorts: { spent: 'spent' },
})
export type SandboxMoneyView = z.output<typeof sandboxMoney.row>

export const takeBackSandboxMoney = write('/admin/payment/sandbox/takeBack', {
  summary:
    'Takes back all that the sandbox credited to a member, by a refund of each payment. What was spent is owed. Above the limits it waits for approval.',
  input: z.object({ memberId: id, reason: plainString.min(1).max(500) }),
  output: z.object({ /** Taken back now, and waiting for approval. */ taken: yuan, waiting: yuan }),
  errors: [NothingToTakeBack, AboveRefundable, NotPaid, OwnAccount, RequestWaits, BooksFrozen],
})
