import { z } from 'zod'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { NotWaiting, providerNames } from '#payment/contract.ts'
import { Person } from '#base/staff-list.ts'
import { yuan } from '#payment/staff-views.ts'

export const RefundRequestView = z.object({
  id: z.string(),
  paymentNumber: z.string(),
  member: Person,
  provider: z.enum(providerNames),
  amount: yuan,
  /** What can be refunded of it now. */
  refundable: yuan,
  reason: z.string(),
  askedAt: time,
})
export type RefundRequestView = z.infer<typeof RefundRequestView>

export const refundRequests = read('/admin/payment/refund/request/list', {
  summary: 'Refunds that members ask for and that wait for staff, oldest first. A refund of the payment answers its request.',
  input: nothing,
  output: z.object({ rows: z.array(RefundRequestView) }),
})

export const declineRefund = write('/admin/payment/refund/request/decline', {
  summary: 'Declines a refund that a member asks for, with a reason that they read.',
  input: z.object({ requestId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [NotWaiting],
})
