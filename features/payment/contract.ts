import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { ownPath } from '#base/return-path.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { amountField, BooksFrozen } from '#wallet/contract.ts'

export const providerNames = ['sandbox', 'alipay', 'wechat', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

/** How one pays there: on another page, on the page for phones, by a code that the phone reads, or within WeChat. */
export const paymentMethods = ['page', 'phone', 'qr', 'inApp'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const orderStates = ['open', 'paid', 'closed'] as const

export const BelowLeast = refusal('payment.belowLeast', { field: 'amount' })
/** The provider takes nothing so small. */
export const TooSmallForWay = refusal('payment.tooSmallForWay', { field: 'amount' })
export const AboveMost = refusal('payment.aboveMost', { field: 'amount' })
export const AboveDay = refusal('payment.aboveDay', { field: 'amount' })
/** Who is under 8 tops up nothing. */
export const TooYoung = refusal('payment.tooYoung', { field: 'amount' })
export const AboveMinorLimit = refusal('payment.aboveMinorLimit', { field: 'amount' })
/** It was switched off, or does not go on this device. */
export const NoSuchWay = refusal('payment.noSuchWay', { field: 'way' })
/** The provider cannot be reached, or answered nothing that can be used. A refusal and no 503, so that it stands at its field. */
export const ProviderAway = refusal('payment.providerAway', { field: 'way' })
export const TooManyOpen = refusal('payment.tooManyOpen', { status: 409 })
/** It was paid a moment before. */
export const PaidAlready = refusal('payment.paidAlready', { status: 409 })
export const NotOpen = refusal('payment.notOpen', { status: 409 })
/** Somebody else has settled it, or another statement explains it. */
export const NotDifferent = refusal('payment.notDifferent', { status: 409 })
/** Somebody else has settled it, or nothing is wrong with it. */
export const NotSuspended = refusal('payment.notSuspended', { status: 409 })
/** Not a payment in yuan to us, so there is nothing that could be credited or given back. */
export const NoMoney = refusal('payment.noMoney', { status: 409 })
export const NoSuchMember = refusal('payment.noSuchMember', { field: 'memberId' })
/** More than was paid, less what was refunded and what a bank took. */
export const AboveRefundable = refusal('payment.aboveRefundable', { field: 'amount' })
/** More than the member has, who shall owe nothing. */
export const AboveBalance = refusal('payment.aboveBalance', { field: 'amount' })
export const NotPaid = refusal('payment.notPaid', { status: 409 })
/** The code by which WeChat names the payer was used, is too old, or is of another payment: it gives a new one. */
export const PayerUnknown = refusal('payment.payerUnknown', { status: 409 })

const WayView = z.object({ provider: z.enum(providerNames), method: z.enum(paymentMethods) })
export type WayView = z.infer<typeof WayView>

const when = z.iso.datetime()
/** Yuan with two places. */
const yuan = z.string()

/** Money that goes back to the payer: asked for, back with them, or refused by the provider and so on the balance again. */
const RefundPart = z.object({ amount: yuan, state: z.enum(['asked', 'done', 'failed']), askedAt: when, endedAt: when.nullable() })
export type RefundPart = z.infer<typeof RefundPart>

/** Money that the payer wanted back by their bank, which takes it from the balance; it comes back if the dispute is won. */
const DisputePart = z.object({ amount: yuan, state: z.enum(['open', 'won', 'lost']), openedAt: when, endedAt: when.nullable() })
export type DisputePart = z.infer<typeof DisputePart>

export const PaymentView = z.object({
  number: z.string(),
  provider: z.enum(providerNames),
  method: z.enum(paymentMethods),
  amount: yuan,
  state: z.enum(orderStates),
  createdAt: when,
  expiresAt: when,
  paidAt: when.nullable(),
  /** As the provider calls it. */
  providerNumber: z.string().nullable(),
  /** Open, and its provider was switched off meanwhile: it can be cancelled. */
  isOff: z.boolean(),
  /** How the payer goes on while it is open: to an address, or by a QR code that holds this. */
  start: z.object({ go: z.enum(['page', 'qr']), to: z.string() }).nullable(),
  /** The page that they came from. */
  returnTo: z.string().nullable(),
  refunds: z.array(RefundPart),
  disputes: z.array(DisputePart),
})
export type PaymentView = z.infer<typeof PaymentView>

export const paymentForm = read('/user/control/payment', {
  summary: 'How I can top up my balance here and by how much, and what of mine is still open. Missing where the site has no balance.',
  input: z.object({ isPhone: z.boolean().default(false), isInWeChat: z.boolean().default(false) }),
  output: z.object({
    ways: z.array(WayView),
    /** Yuan that are offered, the least and the most at once, and what is left of today. */
    amounts: z.array(z.string()),
    least: z.string(),
    most: z.string(),
    leftToday: z.string(),
    balance: z.string(),
    /** Why I cannot top up now, whichever way and amount I choose; null where I can. */
    closedBy: z.enum(['age', 'ban', 'approval', 'frozenBooks', 'dailyLimit']).nullable(),
    /** Money that is none: the sandbox is on. */
    isSandbox: z.boolean(),
    open: z.array(PaymentView),
  }),
})

export const topUp = write('/user/control/payment/add', {
  summary: 'Begins a payment that tops up my balance. The balance changes when the provider says that it was paid.',
  input: z.object({
    amount: amountField('cny'),
    provider: z.enum(providerNames),
    method: z.enum(paymentMethods),
    /** A path of this site. */
    returnTo: z
      .string()
      .max(500)
      .refine((path) => ownPath(path) !== null)
      .optional(),
  }),
  output: PaymentView,
  errors: [
    FunctionClosed,
    Banned,
    BelowLeast,
    TooSmallForWay,
    AboveMost,
    AboveDay,
    AboveMinorLimit,
    TooYoung,
    NoSuchWay,
    ProviderAway,
    TooManyOpen,
    BooksFrozen,
  ],
})

export const payment = read('/user/control/payment/view', {
  summary: 'One payment of mine, as it stands.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: PaymentView,
})

export const paymentList = read('/user/control/payment/list', {
  summary: 'All payments of mine, newest first. Those of accounts that were merged into mine are mine.',
  input: z.object({
    /** The number of the last one before. */ before: z
      .string()
      .regex(/^\d{20}$/)
      .optional(),
  }),
  output: z.object({ rows: z.array(PaymentView), /** What the next page is asked for with. */ next: z.string().nullable() }),
})

export const paymentNews = read('/user/control/payment/news', {
  summary: 'Tells which payments of mine ended lately, now and whenever another one does. A stream of server-sent events.',
  input: nothing,
  output: z.object({ ended: z.array(z.string()) }),
})

export const cancelPayment = write('/user/control/payment/cancel', {
  summary: 'Ends a payment of mine that is still open.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: nothing,
  errors: [PaidAlready, NotOpen, ProviderAway],
})

/** What WeChat hands over with the payer: who that is, as a code, and what shows that it was asked for here. */
const weChatText = z.string().regex(/^[\w-]{1,512}$/)

export const continueInWeChat = write('/user/control/payment/inWeChat', {
  summary: 'Goes on with a payment of mine inside WeChat, which has told who pays. Gives what its browser needs to ask for the money.',
  input: z.object({ number: z.string().regex(/^\d{20}$/), code: weChatText, state: weChatText }),
  output: z.object({
    appId: z.string(),
    timeStamp: z.string(),
    nonceStr: z.string(),
    package: z.string(),
    signType: z.string(),
    paySign: z.string(),
  }),
  errors: [NotOpen, NoSuchWay, PayerUnknown, ProviderAway],
})

/** What one can try out with the sandbox. */
export const sandboxOutcomes = ['paid', 'failed', 'late', 'twice', 'never'] as const

export const sandboxPayment = read('/payment/sandbox', {
  summary: 'A payment of mine, as the sandbox shows it.',
  input: z.object({ number: z.string().regex(/^\d{20}$/) }),
  output: z.object({ number: z.string(), amount: z.string(), isOpen: z.boolean() }),
})

export const paySandbox = write('/payment/sandbox/pay', {
  summary: 'Says what becomes of a payment with the sandbox: its provider pays it, fails, pays late, tells twice, or never tells.',
  input: z.object({ number: z.string().regex(/^\d{20}$/), outcome: z.enum(sandboxOutcomes) }),
  output: nothing,
  errors: [NotOpen],
})

export const paymentId = id
