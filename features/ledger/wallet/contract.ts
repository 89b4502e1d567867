import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { normalizeNumber } from '#base/typed-number.ts'

export const currencies = ['points', 'cny'] as const
export type Currency = (typeof currencies)[number]

declare const minor: unique symbol
/** An amount in minor units: whole points or whole cents. */
export type Minor = bigint & { readonly [minor]: true }

/** The kinds of transactions. Each has its text in the members' log; a feature with new kinds adds them here. */
export const entryKinds = [
  'opening',
  'reward',
  'rewardTaken',
  'adjustment',
  'merging',
  'closing',
  'reversal',
  'unlock',
  'bounty',
  'bountyChanged',
  'bountyPaid',
  'bountyHalved',
  'bountyReturned',
  'membership',
  'membershipRefunded',
  'topUp',
  'topUpByHand',
  'topUpRefund',
  'topUpRefundFailed',
  'chargeback',
  'chargebackWon',
  'paymentFee',
  'redEnvelope',
  'redEnvelopeReceived',
  'redEnvelopeReturned',
  'imported',
  'importUndone',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** Kinds that the program books by itself; they are never reversed by hand. */
export const neverReversed: readonly EntryKind[] = ['opening', 'reward', 'rewardTaken', 'merging', 'reversal', 'imported', 'importUndone']

/** Kinds that are reversed only in their own feature, which records the reversal. */
export const reversedElsewhere: readonly EntryKind[] = [
  'closing',
  'bountyChanged',
  'bountyPaid',
  'bountyHalved',
  'bountyReturned',
  'membership',
  'membershipRefunded',
  'topUp',
  'topUpByHand',
  'topUpRefund',
  'topUpRefundFailed',
  'chargeback',
  'chargebackWon',
  'paymentFee',
  'redEnvelope',
  'redEnvelopeReceived',
  'redEnvelopeReturned',
]

/** The rules by which members earn points. */
export const rewardRules = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted', 'liked'] as const
export type RewardRule = (typeof rewardRules)[number]

export const NotEnoughPoints = refusal('wallet.notEnoughPoints', { field: 'amount' })
export const NotEnoughBalance = refusal('wallet.notEnoughBalance', { field: 'amount' })
/** The same, for staff who move a member's account. */
export const MemberShortOfPoints = refusal('wallet.memberShortOfPoints', { field: 'amount' })
export const MemberShortOfBalance = refusal('wallet.memberShortOfBalance', { field: 'amount' })
/** A member with a debt cannot spend until income has paid it off. */
export const OwesPoints = refusal('wallet.owesPoints', { field: 'amount' })
export const OwesBalance = refusal('wallet.owesBalance', { field: 'amount' })
export const MemberOwesPoints = refusal('wallet.memberOwesPoints', { field: 'amount' })
export const MemberOwesBalance = refusal('wallet.memberOwesBalance', { field: 'amount' })
export const TooMuchHeld = refusal('wallet.tooMuchHeld', { field: 'amount' })
/** For members under 18: `per` names the limit: once, within 24 hours, or no spending at that age. */
export const AboveMinorLimit = refusal('wallet.aboveMinorLimit', { field: 'amount' })
/** A trial credited it with money that nobody paid, and others can reach the site now. */
export const SandboxMoney = refusal('wallet.sandboxMoney', { field: 'amount' })
export const BooksFrozen = refusal('wallet.booksFrozen')
/** The hold was paid or returned meanwhile. */
export const HoldResolved = refusal('wallet.holdResolved', { status: 409 })
export const NotReversible = refusal('wallet.notReversible')

export const BooksFrozenAlready = refusal('wallet.booksFrozenAlready')
export const BooksNotFrozen = refusal('wallet.booksNotFrozen')

/** Staff do not move their own accounts. */
export const OwnAccount = refusal('wallet.ownAccount')
/** The account was merged into another. */
export const AccountMerged = refusal('wallet.accountMerged')
/** The request was decided or withdrawn a moment before. */
export const AlreadyDecided = refusal('wallet.alreadyDecided', { status: 409 })
/** The approver must not be the requester. */
export const OwnRequest = refusal('wallet.ownRequest')
/** An equal request already waits. */
export const RequestWaits = refusal('wallet.requestWaits', { status: 409 })
/** The subject of the request changed after it was made. */
export const RequestOutdated = refusal('wallet.requestOutdated', { status: 409 })
/** The transaction was reversed while the request waited. */
export const ReversedAlready = refusal('wallet.reversedAlready', { status: 409 })

/** Refusals of every call that moves points or balance. */
export const moneyRefusals = [
  NotEnoughPoints,
  NotEnoughBalance,
  OwesPoints,
  OwesBalance,
  AboveMinorLimit,
  SandboxMoney,
  TooMuchHeld,
  HoldResolved,
  BooksFrozen,
] as const
/** Refusals of every call by which staff move them. */
export const staffMoneyRefusals = [
  MemberShortOfPoints,
  MemberShortOfBalance,
  MemberOwesPoints,
  MemberOwesBalance,
  TooMuchHeld,
  HoldResolved,
  BooksFrozen,
] as const

// At most twelve significant digits: whole points, or yuan with at most two decimals.
const amountPatterns = { points: /^[1-9]\d{0,11}$/, cny: /^(?=.*[1-9])(0|[1-9]\d{0,9})(\.\d{1,2})?$/ } as const satisfies Record<
  Currency,
  RegExp
>

/** Parses a typed amount; null if it is invalid. The only parser of amounts. */
export function parseAmount(currency: Currency, typed: string): Minor | null {
  const text = normalizeNumber(typed)
  if (!amountPatterns[currency].test(text)) return null
  const [whole = '', part = ''] = text.split('.')
  return BigInt(currency === 'points' ? whole : whole + part.padEnd(2, '0')) as Minor
}

/** The form field of an amount. */
export function amountField(currency: Currency) {
  return z.string().transform((text, context): Minor => {
    const amount = parseAmount(currency, text)
    if (amount !== null) return amount
    context.addIssue({ code: 'custom', params: { code: currency === 'points' ? 'wallet.noPoints' : 'wallet.noAmount' } })
    return z.NEVER
  })
}

/** Formats an amount as it is typed, with a minus sign below zero. */
export function serializeAmount(currency: Currency, amount: bigint): string {
  if (currency === 'points') return String(amount)
  const cents = String(amount < 0n ? 0n - amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`
}

/** An amount in yuan as a refusal's parameter, which is formatted in the reader's language. */
export function toYuan(cents: bigint): number {
  return Number(serializeAmount('cny', cents))
}

/** An amount in minor units, from a database value or a sum. */
export function toMinor(value: string | number | bigint): Minor {
  return BigInt(value) as Minor
}

const when = z.iso.datetime()
const reason = plainString.min(1).max(500)

export const books = read('/admin/books', {
  summary: 'State of the ledger: whether it is frozen, and the results of the last checks.',
  input: nothing,
  output: z.object({
    /** Null while the ledger is writable; `byStaff` is null if a check found a breach. */
    frozen: z.object({ at: when, reason: z.string(), byStaff: z.string().nullable() }).nullable(),
    looks: z.array(z.object({ at: when, isFull: z.boolean(), breaches: z.array(z.object({ check: z.string(), what: z.string() })) })),
    /** The time since which no check of new transactions (`new`) or full check has ended, if longer than ten minutes or two days. */
    late: z.array(z.object({ of: z.enum(['new', 'full']), since: when })),
  }),
})

export const freezeBooks = write('/admin/books/freeze', {
  summary: 'Freezes all transactions of points and balance. Members can still post; their rewards are booked once it is unfrozen.',
  input: z.object({ reason }),
  output: nothing,
  errors: [BooksFrozenAlready],
})

export const thawBooks = write('/admin/books/thaw', {
  summary: 'Unfreezes the ledger of points and balance.',
  input: z.object({ reason }),
  output: nothing,
  errors: [BooksNotFrozen],
})
