import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { internalPath } from '#base/return-path.ts'
import { codeField } from '#base/secret-input.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { amountField, BooksFrozen } from '#wallet/contract.ts'

export const providerNames = ['sandbox', 'alipay', 'wechat', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

/** How the payer pays: on another page, on the page for phones, by a QR code, or within WeChat. */
export const paymentMethods = ['page', 'phone', 'qr', 'inApp'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** The methods of payments that are here: staff credit what came in by none that is known. */
export const paidMethods = [...paymentMethods, 'byHand'] as const
export type PaidMethod = (typeof paidMethods)[number]

export const orderStates = ['open', 'paid', 'closed'] as const

export const BelowMinimum = refusal('payment.belowLeast', { field: 'amount' })
/** The amount is below the provider's minimum. */
export const TooSmallForProvider = refusal('payment.tooSmallForWay', { field: 'amount' })
export const AboveMaximum = refusal('payment.aboveMost', { field: 'amount' })
export const AboveDailyLimit = refusal('payment.aboveDay', { field: 'amount' })
/** Members under 8 cannot top up. */
export const TooYoung = refusal('payment.tooYoung', { field: 'amount' })
export const AboveMinorLimit = refusal('payment.aboveMinorLimit', { field: 'amount' })
/** The method was disabled, or is unavailable on this device. */
export const MethodUnavailable = refusal('payment.noSuchWay', { field: 'way' })
/** The provider is unreachable, or its answer is invalid. A refusal instead of a 503, so that it is shown at its field. */
export const ProviderUnavailable = refusal('payment.providerAway', { field: 'way' })
export const TooManyOpen = refusal('payment.tooManyOpen', { status: 409 })
/** The payment was completed a moment before. */
export const PaidAlready = refusal('payment.paidAlready', { status: 409 })
export const NotOpen = refusal('payment.notOpen', { status: 409 })
/** The event was settled already, or has no problem. */
export const NotSuspended = refusal('payment.notSuspended', { status: 409 })
/** The event is no payment in yuan to us, so nothing can be credited or returned. */
export const NoMoney = refusal('payment.noMoney', { status: 409 })
export const NoSuchMember = refusal('payment.noSuchMember', { field: 'memberId' })
/** Above the paid amount less refunds and disputes. */
export const AboveRefundable = refusal('payment.aboveRefundable', { field: 'amount' })
/** Above the balance of a member who may not owe. */
export const AboveBalance = refusal('payment.aboveBalance', { field: 'amount' })
/** Above what is left of a payment for a refund or a dispute that the provider has taken already. */
export const AboveBookable = refusal('payment.aboveBookable', { field: 'amount' })
export const NoSuchPayment = refusal('payment.noSuchPayment', { field: 'number' })
/** The event tells of no money that the provider took back, so there is nothing to book. */
export const NotBookable = refusal('payment.notBookable', { status: 409 })
/** Another event of the same refund or dispute was booked. */
export const BookedAlready = refusal('payment.bookedAlready', { status: 409 })
/** All of the payment was refunded or is disputed. */
export const NothingToRefund = refusal('payment.nothingToRefund', { status: 409 })
/** A request for it is waiting already. */
export const AskedAlready = refusal('payment.askedAlready', { status: 409 })
/** It was answered a moment before. */
export const NothingAsked = refusal('payment.nothingAsked', { status: 409 })
/** The member's request was withdrawn or answered a moment before. */
export const NotWaiting = refusal('payment.notWaiting', { status: 409 })
export const NotPaid = refusal('payment.notPaid', { status: 409 })
/** It was taken back a moment before, waits for a second member of staff, or the site is still a trial. */
export const NothingToTakeBack = refusal('payment.nothingToTakeBack', { status: 409 })
/** WeChat's code for the payer was used, expired, or belongs to another payment; WeChat issues a new one. */
export const PayerUnknown = refusal('payment.payerUnknown', { status: 409 })

const WayView = z.object({ provider: z.enum(providerNames), method: z.enum(paymentMethods) })
export type WayView = z.infer<typeof WayView>

const when = z.iso.datetime()
/** Yuan with two decimals. */
const yuan = z.string()

/** A refund to the payer: requested, done, or refused by the provider and returned to the balance. */
const RefundPart = z.object({ amount: yuan, state: z.enum(['asked', 'done', 'failed']), askedAt: when, endedAt: when.nullable() })
export type RefundPart = z.infer<typeof RefundPart>

/** The last request of the member for a refund, and what staff say of one that they declined. */
const RefundRequestPart = z.object({
  state: z.enum(['waiting', 'refunded', 'declined', 'withdrawn']),
  askedAt: when,
  answer: z.string().nullable(),
})

/** A dispute by the payer's bank. Its amount leaves the balance, and returns if the dispute is won. */
const DisputePart = z.object({ amount: yuan, state: z.enum(['open', 'won', 'lost']), openedAt: when, endedAt: when.nullable() })
export type DisputePart = z.infer<typeof DisputePart>

export const PaymentView = z.object({
  number: z.string(),
  provider: z.enum(providerNames),
  method: z.enum(paidMethods),
  amount: yuan,
  state: z.enum(orderStates),
  createdAt: when,
  expiresAt: when,
  paidAt: when.nullable(),
  /** The provider's number. */
  providerNumber: z.string().nullable(),
  /** Open, but its provider was disabled meanwhile: it can be cancelled. */
  isOff: z.boolean(),
  /** The next step of an open payment: an address, or the content of a QR code. */
  start: z.object({ go: z.enum(['page', 'qr']), to: z.string() }).nullable(),
  returnTo: z.string().nullable(),
  refunds: z.array(RefundPart),
  disputes: z.array(DisputePart),
  refundRequest: RefundRequestPart.nullable(),
  /** Whether the member may ask staff for a refund. */
  canAskRefund: z.boolean(),
})
export type PaymentView = z.infer<typeof PaymentView>

export const paymentForm = read('/user/control/payment', {
  summary: 'Top-up methods and amounts for the member, with their open payments. Responds 404 on a site without balances.',
  input: z.object({ isPhone: z.boolean().default(false), isInWeChat: z.boolean().default(false) }),
  output: z.object({
    ways: z.array(WayView),
    /** The suggested amounts in yuan, the minimum and maximum per payment, and the rest of today's limit. */
    amounts: z.array(z.string()),
    least: z.string(),
    most: z.string(),
    leftToday: z.string(),
    balance: z.string(),
    /** Why the member cannot top up now, regardless of method and amount; null if they can. */
    closedBy: z.enum(['age', 'ban', 'approval', 'frozenBooks', 'dailyLimit']).nullable(),
    /** The sandbox is enabled, which moves no money. */
    isSandbox: z.boolean(),
    open: z.array(PaymentView),
  }),
})

export const topUp = write('/user/control/payment/add', {
  summary: 'Starts a payment that tops up the member’s balance. The balance is credited when the provider confirms the payment.',
  input: z.object({
    amount: amountField('cny'),
    provider: z.enum(providerNames),
    method: z.enum(paymentMethods),
    /** A path of this site. */
    returnTo: z
      .string()
      .max(500)
      .refine((path) => internalPath(path) !== null)
      .optional(),
  }),
  output: PaymentView,
  errors: [
    FunctionClosed,
    Banned,
    BelowMinimum,
    TooSmallForProvider,
    AboveMaximum,
    AboveDailyLimit,
    AboveMinorLimit,
    TooYoung,
    MethodUnavailable,
    ProviderUnavailable,
    TooManyOpen,
    BooksFrozen,
  ],
})

export const payment = read('/user/control/payment/view', {
  summary: 'One of the member’s payments with its current state.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: PaymentView,
})

export const paymentList = read('/user/control/payment/list', {
  summary: 'The member’s payments, newest first, including those of accounts merged into theirs.',
  input: z.object({
    /** The number of the last row of the previous page. */ before: z
      .string()
      .regex(/^\d{20}$/)
      .optional(),
  }),
  output: z.object({ rows: z.array(PaymentView), /** The cursor of the next page. */ next: z.string().nullable() }),
})

export const paymentNews = read('/user/control/payment/news', {
  summary: 'Streams the member’s recently ended payments as server-sent events: at once and on each change.',
  input: nothing,
  output: z.object({ ended: z.array(z.string()) }),
})

export const cancelPayment = write('/user/control/payment/cancel', {
  summary: 'Cancels one of the member’s open payments.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: nothing,
  errors: [PaidAlready, NotOpen, ProviderUnavailable],
})

export const askForRefund = write('/user/control/payment/refund/ask', {
  summary: 'Asks staff for a refund of one of the member’s payments. They refund it, or decline with a reason.',
  input: z.object({ number: z.string().regex(/^\d{20}$/), reason: plainString.min(1).max(500) }),
  output: PaymentView,
  errors: [NotPaid, NothingToRefund, AskedAlready],
})

export const withdrawRefund = write('/user/control/payment/refund/withdraw', {
  summary: 'Withdraws the member’s request for a refund.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: PaymentView,
  errors: [NothingAsked],
})

/** WeChat's OAuth parameters: the code of the payer, and the state that proves the request began here. */
const weChatText = z.string().regex(/^[\w-]{1,512}$/)

export const continueInWeChat = write('/user/control/payment/inWeChat', {
  summary:
    'Continues one of the member’s payments inside WeChat with WeChat’s code of the payer. Returns the parameters of the payment dialog.',
  input: z.object({ number: z.string().regex(/^\d{20}$/), code: weChatText, state: weChatText }),
  output: z.object({
    appId: z.string(),
    timeStamp: z.string(),
    nonceStr: z.string(),
    package: z.string(),
    signType: z.string(),
    paySign: z.string(),
  }),
  errors: [NotOpen, MethodUnavailable, PayerUnknown, ProviderUnavailable],
})

/** Not the code that was printed where the forum started. */
export const WrongSandboxCode = refusal('payment.wrongSandboxCode', { field: 'code' })

/** The outcomes that the sandbox simulates. */
export const sandboxOutcomes = ['paid', 'failed', 'late', 'twice', 'never'] as const

export const sandboxPayment = read('/payment/sandbox', {
  summary: 'One of the member’s payments as the sandbox shows it.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: z.object({ number: z.string(), amount: z.string(), isOpen: z.boolean() }),
})

export const paySandbox = write('/payment/sandbox/pay', {
  summary: 'Sets the simulated outcome of a sandbox payment: paid, failed, paid late, notified twice, or never notified.',
  input: z.object({ number: z.string().regex(/^\d{20}$/), outcome: z.enum(sandboxOutcomes), code: codeField }),
  output: nothing,
  errors: [NotOpen, WrongSandboxCode],
})

export const paymentId = id
