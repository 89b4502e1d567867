import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { plain } from '#base/plain-text.ts'

export const currencies = ['points', 'cny'] as const
export type Currency = (typeof currencies)[number]

declare const minor: unique symbol
/** Whole points or whole cents: what amounts are inside. */
export type Minor = bigint & { readonly [minor]: true }

/** What moves points or balance. Each has its words in the log that members read; a feature that moves them adds its own. */
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
] as const
export type EntryKind = (typeof entryKinds)[number]

/** What comes and goes by itself, and so is never reversed by hand. */
export const neverReversed: readonly EntryKind[] = ['opening', 'reward', 'rewardTaken', 'merging', 'reversal']

/** What is reversed only where it came from, so that it is known there too. */
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

/** What points are earned for. */
export const rewardRules = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted', 'liked'] as const
export type RewardRule = (typeof rewardRules)[number]

export const NotEnoughPoints = refusal('wallet.notEnoughPoints', { field: 'amount' })
export const NotEnoughBalance = refusal('wallet.notEnoughBalance', { field: 'amount' })
/** The same, said to staff of a member's account. */
export const MemberShortOfPoints = refusal('wallet.memberShortOfPoints', { field: 'amount' })
export const MemberShortOfBalance = refusal('wallet.memberShortOfBalance', { field: 'amount' })
/** A member who owes spends nothing until what comes in has paid it. */
export const OwesPoints = refusal('wallet.owesPoints', { field: 'amount' })
export const OwesBalance = refusal('wallet.owesBalance', { field: 'amount' })
export const MemberOwesPoints = refusal('wallet.memberOwesPoints', { field: 'amount' })
export const MemberOwesBalance = refusal('wallet.memberOwesBalance', { field: 'amount' })
export const TooMuchHeld = refusal('wallet.tooMuchHeld', { field: 'amount' })
/** Of those under 18: `per` says whether at once, within 24 hours, or that they spend nothing at their age. */
export const AboveMinorLimit = refusal('wallet.aboveMinorLimit', { field: 'amount' })
export const BooksFrozen = refusal('wallet.booksFrozen')
/** It was paid, or given back, meanwhile. */
export const HoldResolved = refusal('wallet.holdResolved', { status: 409 })
export const NotReversible = refusal('wallet.notReversible')

export const BooksFrozenAlready = refusal('wallet.booksFrozenAlready')
export const BooksNotFrozen = refusal('wallet.booksNotFrozen')

/** Nobody moves what is their own. */
export const OwnAccount = refusal('wallet.ownAccount')
/** What was theirs is another's. */
export const AccountMerged = refusal('wallet.accountMerged')
/** Somebody decided it, or took it back, a moment before. */
export const AlreadyDecided = refusal('wallet.alreadyDecided', { status: 409 })
/** Two must agree. */
export const OwnRequest = refusal('wallet.ownRequest')
/** An equal request waits already. */
export const RequestWaits = refusal('wallet.requestWaits', { status: 409 })
/** The subject of the request changed after it was asked for. */
export const RequestOutdated = refusal('wallet.requestOutdated', { status: 409 })
/** The transaction was reversed while the request waited. */
export const ReversedAlready = refusal('wallet.reversedAlready', { status: 409 })

/** What every call that moves points or balance may refuse with. */
export const moneyRefusals = [
  NotEnoughPoints,
  NotEnoughBalance,
  OwesPoints,
  OwesBalance,
  AboveMinorLimit,
  TooMuchHeld,
  HoldResolved,
  BooksFrozen,
] as const
/** The same where staff move it. */
export const staffMoneyRefusals = [
  MemberShortOfPoints,
  MemberShortOfBalance,
  MemberOwesPoints,
  MemberOwesBalance,
  TooMuchHeld,
  HoldResolved,
  BooksFrozen,
] as const

// Twelve digits at most, none of them in vain: whole points, or yuan with at most two places.
const forms = { points: /^[1-9]\d{0,11}$/, cny: /^(?=.*[1-9])(0|[1-9]\d{0,9})(\.\d{1,2})?$/ } as const satisfies Record<Currency, RegExp>

/** An amount as a person types it; nothing else reads amounts. Null where it is none. */
export function amountIn(currency: Currency, text: string): Minor | null {
  if (!forms[currency].test(text)) return null
  const [whole = '', part = ''] = text.split('.')
  return BigInt(currency === 'points' ? whole : whole + part.padEnd(2, '0')) as Minor
}

/** The field of a form that takes an amount. */
export function amountField(currency: Currency) {
  return z.string().transform((text, context): Minor => {
    const amount = amountIn(currency, text)
    if (amount !== null) return amount
    context.addIssue({ code: 'custom', params: { code: currency === 'points' ? 'wallet.noPoints' : 'wallet.noAmount' } })
    return z.NEVER
  })
}

/** An amount as a person types it, with its sign where it goes. */
export function amountOut(currency: Currency, amount: bigint): string {
  if (currency === 'points') return String(amount)
  const cents = String(amount < 0n ? 0n - amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`
}

/** An amount of money as refusals say it, which write it in the language of whoever is refused. */
export function yuanIn(cents: bigint): number {
  return Number(amountOut('cny', cents))
}

/** An amount as it is kept, from what the database gave or a sum. */
export function minorOf(value: string | number | bigint): Minor {
  return BigInt(value) as Minor
}

const when = z.iso.datetime()
const reason = plain.min(1).max(500)

export const books = read('/admin/books', {
  summary: 'Whether points and balance can be moved, and what the last looks at the books found.',
  input: nothing,
  output: z.object({
    /** Null where they can; by nobody where the forum itself found a breach. */
    frozen: z.object({ at: when, reason: z.string(), byStaff: z.string().nullable() }).nullable(),
    looks: z.array(z.object({ at: when, isFull: z.boolean(), breaches: z.array(z.object({ check: z.string(), what: z.string() })) })),
    /** Since when no check of what is new has ended, or no full one: where that is longer than ten minutes, or two days. */
    late: z.array(z.object({ of: z.enum(['new', 'full']), since: when })),
  }),
})

export const freezeBooks = write('/admin/books/freeze', {
  summary: 'Lets nobody move points or balance until the books are thawed. Members write on, and earn later what they wrote meanwhile.',
  input: z.object({ reason }),
  output: nothing,
  errors: [BooksFrozenAlready],
})

export const thawBooks = write('/admin/books/thaw', {
  summary: 'Lets points and balance be moved again.',
  input: z.object({ reason }),
  output: nothing,
  errors: [BooksNotFrozen],
})
