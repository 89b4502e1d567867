import { z } from 'zod'
import { id, nothing, page, read, refusal, TooManyHashes, write } from '#base/contract.ts'
import { locks } from '#base/rich-text/document.ts'
import { existingSecret } from '#base/secret-input.ts'
import { threadKinds } from '#kind/contract.ts'
import { Banned, NameView } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { moneyRefusals } from '#wallet/contract.ts'

/** Refusals of a post for its hidden parts. */
export const LockNotAllowed = refusal('hiddenPart.lockNotAllowed', { field: 'body' })
export const TooManyParts = refusal('hiddenPart.tooManyParts', { field: 'body' })
export const PriceTooHigh = refusal('hiddenPart.priceTooHigh', { field: 'body' })
export const NoSuchLevel = refusal('hiddenPart.noSuchLevel', { field: 'body' })
export const PasswordNeeded = refusal('hiddenPart.passwordNeeded', { field: 'body' })
/** An unchanged part is no longer in the edited post. */
export const PartGone = refusal('hiddenPart.partGone', { field: 'body' })
/** Only topics have hidden parts: no question, comment or reply. */
export const OnlyInTopics = refusal('hiddenPart.onlyInTopics', { field: 'body' })
export const hidingRefusals = [OnlyInTopics, LockNotAllowed, TooManyParts, PriceTooHigh, NoSuchLevel, PasswordNeeded, PartGone]

/** Refusals of an attempt to open a part. */
export const WrongPassword = refusal('hiddenPart.wrongPassword', { field: 'password' })
export const TooManyTries = refusal('hiddenPart.triedTooOften', { status: 429, field: 'password', retryAfter: 60 })
/** Too many wrong guesses by others, on the same network or overall. */
export const TooManyTriesByOthers = refusal('hiddenPart.triedByMany', { status: 429, field: 'password' })
export const PriceChanged = refusal('hiddenPart.priceChanged', { status: 409, field: 'price' })
export const OwnPart = refusal('hiddenPart.ownPart')
/** The part has another lock than the request assumes. */
export const WrongLock = refusal('hiddenPart.opensOtherwise')

/** Refusals of a refund by staff. */
export const RefundedAlready = refusal('hiddenPart.refundedAlready', { status: 409 })
export const NothingToRefund = refusal('hiddenPart.nothingToRefund')

const partId = z.string().regex(/^[\w-]{1,40}$/)
const lock = z.enum(locks)

/**
 * A hidden part in its place, the same for every reader. The value is the cost of opening it: points for a level, a price in points, or
 * in cents for `balance`; empty for a password and a comment.
 */
export const HiddenView = z.object({
  id: z.string(),
  lock,
  value: z.string(),
  /** The name of the level that opens it. */
  level: NameView.optional(),
})
export type HiddenView = z.infer<typeof HiddenView>

/** Why a reader sees a hidden part: they are its author or staff, unlocked it, posted in the thread, or have the level. */
export const accessReasons = ['author', 'staff', 'unlocked', 'spoken', 'level'] as const

const Segments = z.array(z.object({ html: z.string() }))

export const hiddenForm = read('/hiddenPart/form', {
  summary: 'Locks, maximum number and maximum price of hidden parts that the member may use in a topic.',
  input: nothing,
  output: z.object({
    locks: z.array(lock),
    most: z.number(),
    mostPoints: z.string(),
    mostCents: z.string(),
    /** The allowed values of a level lock, from the lowest. */
    levels: z.array(z.object({ needs: z.string(), name: NameView })),
  }),
})

export const myHidden = read('/topic/hidden', {
  summary: 'Hidden parts of a thread that are unlocked for the member. Locked ones are left out.',
  input: z.object({ topicId: id }),
  output: z.object({ parts: z.array(z.object({ id: z.string(), why: z.enum(accessReasons), segments: Segments })) }),
})

export const myMeans = read('/hiddenPart/means', {
  summary: 'The member’s means to unlock hidden parts: points for their level, and points and cents to spend.',
  input: nothing,
  output: z.object({ earned: z.string(), points: z.string(), /** Null if the site has no balances. */ cents: z.string().nullable() }),
})

const UnlockResult = z.object({ partId: z.string(), /** False if it was open already. */ isNew: z.boolean() })

export const unlockPart = write('/hiddenPart/unlock', {
  summary: 'Unlocks a hidden part permanently with its password. Idempotent.',
  input: z.object({ partId, password: existingSecret }),
  output: UnlockResult,
  errors: [WrongPassword, TooManyTries, TooManyTriesByOthers, OwnPart, WrongLock, TooManyHashes],
})

export const buyPart = write('/hiddenPart/buy', {
  summary:
    'Unlocks a hidden part permanently for the displayed price, in points or cents. Idempotent: an unlocked part is not charged again.',
  input: z.object({ partId, price: z.string().max(20) }),
  output: UnlockResult,
  errors: [Banned, PriceChanged, OwnPart, WrongLock, ProveAgain, ...moneyRefusals],
})

const unlockFields = {
  partId: z.string(),
  topic: z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string() }),
  /** The comment that holds the part, if the comment was once a topic. */
  commentId: z.string().nullable(),
  lock,
  /** The price paid, in points or cents. */
  paid: z.string(),
  at: z.iso.datetime(),
  isRefunded: z.boolean(),
}
const pageFields = { total: z.number(), page: z.number(), pages: z.number() }

/** The state of a part's text: shown, taken out, replaced, or waiting for staff. */
export const partStates = ['shown', 'takenOut', 'earlier', 'waiting'] as const

export const hiddenForStaff = read('/admin/hiddenPart/topic', {
  summary: 'All hidden parts of a topic: current, earlier, removed and in a pending edit. Access is logged once an hour for each topic.',
  input: z.object({ topicId: id }),
  output: z.object({
    parts: z.array(
      HiddenView.extend({
        stands: z.enum(partStates),
        segments: Segments,
        /** Null while it waits. */
        writtenAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
})

export const unlocksOfMine = read('/user/control/topicUnhideList', {
  summary: 'Unlocks of the member’s hidden parts, newest first, with the earnings.',
  input: z.object({ page: page.default(1), topicId: id.optional() }),
  output: z.object({
    unlocks: z.array(z.object({ ...unlockFields, member: AuthorView.nullable(), earned: z.string() })),
    earned: z.object({ points: z.string(), cents: z.string() }),
    ...pageFields,
  }),
})

export const myUnlocks = read('/user/control/topicUnlockedList', {
  summary: 'Hidden parts that the member unlocked, newest first. Removed parts stay readable; paid ones always, unless staff deleted them.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    unlocks: z.array(
      z.object({
        ...unlockFields,
        isTakenOut: z.boolean(),
        /** The topic is not visible to the member any more. */
        isGone: z.boolean(),
        /** Null if the member may not read it. */
        segments: Segments.nullable(),
        /** The text at the time of purchase, if it differs from the current text. */
        bought: Segments.nullable(),
      }),
    ),
    ...pageFields,
  }),
})
