import { z } from 'zod'
import { id, read, write } from '#base/contract.ts'
import { listInput, listOutput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { AboveRefundable, NothingToTakeBack, NotPaid } from '#payment/contract.ts'
import { Person, yuan } from '#payment/staff-views.ts'
import { BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'

const SandboxMoneyView = z.object({
  member: Person,
  /** What the sandbox credited and nobody has taken back, and the part of it that waits for a second member of staff. */
  credited: yuan,
  waiting: yuan,
  /** The part that was spent while it could be: the member will owe it. */
  spent: yuan,
  /** Negative if they owe. */
  balance: yuan,
  isOwn: z.boolean(),
})
export type SandboxMoneyView = z.infer<typeof SandboxMoneyView>

export const sandboxMoney = read('/admin/payment/sandbox', {
  summary: 'Members with money that the sandbox credited before other people could reach the site. Empty while the site is a trial.',
  input: listInput(['spent'], {}),
  output: listOutput(SandboxMoneyView),
})

export const takeBackSandboxMoney = write('/admin/payment/sandbox/takeBack', {
  summary:
    'Takes back all that the sandbox credited to a member, by a refund of each payment. What was spent is owed. Above the limits it waits for approval.',
  input: z.object({ memberId: id, reason: plainString.min(1).max(500) }),
  output: z.object({ /** Taken back now, and waiting for approval. */ taken: yuan, waiting: yuan }),
  errors: [NothingToTakeBack, AboveRefundable, NotPaid, OwnAccount, RequestWaits, BooksFrozen],
})
