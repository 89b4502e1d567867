import { bountyChange } from '#bounty/server/staff.ts'
import { adoption } from '#content/server/adoption.ts'
import { refund, topicRefund } from '#hidden-part/server/refund.ts'
import { orderRefund } from '#membership/server/refund-by-hand.ts'
import { adjustment } from '#wallet/server/adjust.ts'
import { paymentCredit, topUpRefund } from '#payment/server/by-hand.ts'
import type { Ways } from '#wallet/server/request.ts'
import { reversal } from '#wallet/server/reverse.ts'

/** The kinds of manual transactions and the code that carries each out. A feature that moves points or balance adds its own by a line. */
export const moneyRequests: Ways = [
  adjustment,
  reversal,
  refund,
  topicRefund,
  bountyChange,
  adoption,
  orderRefund,
  topUpRefund,
  paymentCredit,
]
