import { z } from 'zod'
import { id, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, Person, staffList } from '#base/staff-list.ts'
import {
  AccountMerged,
  AlreadyDecided,
  currencies,
  NotReversible,
  OwnAccount,
  OwnRequest,
  RequestOutdated,
  ReversedAlready,
  staffMoneyRefusals,
} from '#wallet/contract.ts'
import { SubjectView } from '#wallet/log-contract.ts'

/** Kinds of manual transactions. A feature with a new one adds it here and to the `moneyRequests` of its `feature.ts`. */
export const requestKinds = [
  'adjustment',
  'reversal',
  'refund',
  'topicRefund',
  'bountyChange',
  'adoption',
  'orderRefund',
  'topUpRefund',
  'paymentCredit',
  'paymentBooking',
] as const
export type RequestKind = (typeof requestKinds)[number]

/** The right that approves each kind; most requests require it too. */
export const rightFor = {
  adjustment: 'wallet.adjust',
  reversal: 'wallet.reverse',
  refund: 'wallet.reverse',
  topicRefund: 'wallet.reverse',
  bountyChange: 'question.bounty',
  adoption: 'question.bounty',
  orderRefund: 'membership.refund',
  topUpRefund: 'payment.approve',
  paymentCredit: 'payment.approve',
  paymentBooking: 'payment.approve',
} as const satisfies Record<RequestKind, string>

export const requestStates = ['waiting', 'done', 'declined'] as const

/** True above the limits of the settings: the request waits for approval. */
export const isWaiting = z.boolean()

const Offer = z.object({ points: z.string().nullable(), cash: z.string().nullable() })

/** Facts for the list, by kind. */
export const RequestDetail = z.object({
  /** The number of purchases in a refund of a topic. */
  purchases: z.number().optional(),
  /** The bounty at the time of the request, and after the change. */
  bounty: z.object({ from: Offer, to: Offer }).optional(),
  /** The answer, and whether it becomes or ceases to be the accepted one. */
  answer: z.object({ commentId: z.string(), isBest: z.boolean() }).optional(),
  order: z.object({ id: z.string(), number: z.string() }).optional(),
  /** The refunded payment, or the provider's event. */
  payment: z.object({ number: z.string() }).optional(),
  event: z.object({ id: z.string() }).optional(),
})
export type RequestDetail = z.infer<typeof RequestDetail>

const requestKind = field.labelled(
  'what',
  field.choice(requestKinds, (name) => `kind${name}`),
)
const state = field.choice(requestStates)

export const moneyRequests = staffList('/admin/wallet/request/list', {
  summary: 'Manual transactions and requests that wait for approval: adjustments, reversals, refunds and changes of bounties.',
  words: 'walletAdmin',
  columns: {
    kind: requestKind,
    /** Amounts moved; negative if an adjustment takes them. */
    amounts: field.labelled('amount', field.other(z.array(z.object({ currency: z.enum(currencies), amount: z.string() })))),
    reason: field.text,
    askedBy: field.text,
    askedAt: field.labelled('at', field.time),
    state,
  },
  values: {
    member: Person.nullable(),
    topicId: z.string().nullable(),
    /** The topic, if it is published and visible to the viewer. */
    topic: SubjectView.nullable(),
    reverses: z.string().nullable(),
    detail: RequestDetail,
    decidedBy: z.string().nullable(),
    decidedAt: time.nullable(),
    answer: z.string().nullable(),
    transactionId: z.string().nullable(),
    /** Reasons why the viewer may not approve: their own request, their own account, or no right to the kind. */
    isMine: z.boolean(),
    isOfMe: z.boolean(),
    mayDecide: z.boolean(),
  },
  filters: {
    state,
    kind: requestKind,
    member: field.person,
    account: field.labelled('askedBy', field.typed(z.string().max(25).optional())),
  },
  sorts: { asked: 'askedAt' },
})
export type RequestView = z.output<typeof moneyRequests.row>

export const approveRequest = write('/admin/wallet/request/approve', {
  summary: 'Approves and executes a request of another staff account. Requires the right for the request and can fail in the same ways.',
  input: z.object({ requestId: id }),
  output: z.object({ transactionId: z.string().nullable() }),
  errors: [OwnRequest, AlreadyDecided, RequestOutdated, OwnAccount, AccountMerged, NotReversible, ReversedAlready, ...staffMoneyRefusals],
})

export const declineRequest = write('/admin/wallet/request/decline', {
  summary: 'Rejects a request of another staff account, or withdraws a request by the acting account.',
  input: z.object({ requestId: id, reason: plainString.min(1).max(500) }),
  output: z.object({}),
  errors: [AlreadyDecided],
})
