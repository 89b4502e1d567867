import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { normalizeNumber } from '#base/typed-number.ts'
import { Banned, NameView } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { parseAmount, toMinor, moneyRefusals, type Currency } from '#wallet/contract.ts'

/** The card or the specification is not on sale any more. */
export const NotOnSale = refusal('membership.notOnSale', { status: 409 })
export const SoldOut = refusal('membership.soldOut', { status: 409, field: 'quantity' })
/** The amount due differs from the one the buyer saw: the price, the coupon or the value of the former card changed. */
export const PriceChanged = refusal('membership.priceChanged', { status: 409 })
/** The holder has the role without an end. */
export const HeldForGood = refusal('membership.heldForGood')
export const ReceiverHoldsForGood = refusal('membership.receiverHoldsForGood', { field: 'receiver' })
export const HeldTooLong = refusal('membership.heldTooLong', { field: 'quantity' })

export const ReceiverUnknown = refusal('membership.receiverUnknown', { field: 'receiver' })
export const ReceiverIsSelf = refusal('membership.receiverIsSelf', { field: 'receiver' })
/** The receiver left, is banned or blocked the giver; the giver cannot tell these apart. */
export const ReceiverTakesNothing = refusal('membership.receiverTakesNothing', { field: 'receiver' })

export const CouponUnknown = refusal('membership.couponUnknown', { field: 'coupon' })
export const CouponEnded = refusal('membership.couponEnded', { field: 'coupon' })
export const CouponNotForThis = refusal('membership.couponNotForThis', { field: 'coupon' })
export const CouponUsed = refusal('membership.couponUsed', { field: 'coupon' })
const couponRefusals = [CouponUnknown, CouponEnded, CouponNotForThis, CouponUsed] as const

/** No unused value is left of a card that this one replaces. */
export const NothingToUpgrade = refusal('membership.nothingToUpgrade', { status: 409, field: 'upgrades' })
/** The unused value of the former card exceeds the price of the new one. */
export const UpgradeWorthLess = refusal('membership.upgradeWorthLess', { field: 'upgrades' })

/** The role was deleted, or is a default role by now. */
export const RoleUnfit = refusal('membership.roleUnfit', { field: 'roleId' })
export const CardPictureNotNew = refusal('membership.pictureNotNew', { field: 'picture' })
/** Cards of one role extend each other, and of two cards only one replaces the other. */
export const ReplacesSameRole = refusal('membership.replacesSameRole', { field: 'replaces' })
export const ReplacesEachOther = refusal('membership.replacesEachOther', { field: 'replaces' })
export const StockSold = refusal('membership.stockSold', { field: 'units' })
export const StockTooLarge = refusal('membership.stockTooLarge', { field: 'units' })
/** A limit was set or removed concurrently. */
export const StockChanged = refusal('membership.stockChanged', { status: 409, field: 'how' })
export const CodeTaken = refusal('membership.codeTaken', { field: 'code' })
export const CodeUsedMore = refusal('membership.codeUsedMore', { field: 'maxUses' })
export const CouponEndsFirst = refusal('membership.couponEndsFirst', { field: 'endsAt' })

/** The order was refunded already, by staff or by an upgrade. */
export const OrderRefunded = refusal('membership.orderRefunded', { status: 409 })
/** A later order continues the same role and must be refunded first. */
export const LaterOrder = refusal('membership.laterOrder')
/** The account of the buyer was closed for good. */
export const BuyerClosed = refusal('membership.buyerClosed')
/** Nothing is left of the price, or of the time. */
export const NothingLeft = refusal('membership.nothingLeft', { field: 'way' })
export const AbovePaidCash = refusal('membership.abovePaidCash', { field: 'cash' })
export const AbovePaidPoints = refusal('membership.abovePaidPoints', { field: 'points' })
export const GiftRoleGone = refusal('membership.giftRoleGone', { field: 'roleId' })
/** The task gave a gift already, so its list is kept. */
export const GiftTaskUsed = refusal('membership.giftTaskUsed', { status: 409 })
/** A task that runs once has given to every matching member. */
export const GiftTaskFinished = refusal('membership.giftTaskFinished', { status: 409 })

export const units = ['hour', 'day', 'month', 'year'] as const
export type Unit = (typeof units)[number]

export const maxQuantity = 99
/** The longest time from now for which a role is sold. */
export const maxYears = 20
export const maxNote = 150

/** Amounts as typed: yuan with two decimals, and whole points. Null without an amount in that currency. */
export const PriceView = z.object({ cash: z.string().nullable(), points: z.string().nullable() })
export type PriceView = z.infer<typeof PriceView>

export const SpecificationView = z.object({
  id: z.string(),
  name: NameView,
  price: PriceView,
  /** The price in yuan that is struck through. */
  listPrice: z.string().nullable(),
  /** The remaining units, if they are few; 0 if it is sold out. */
  left: z.number().nullable(),
  duration: z.number(),
  unit: z.enum(units),
})
export type SpecificationView = z.infer<typeof SpecificationView>

export const CardView = z.object({
  id: z.string(),
  name: NameView,
  subtitle: NameView,
  bullets: z.object({ zh: z.array(z.string()), en: z.array(z.string()) }),
  picture: z.string().nullable(),
  role: z.object({ id: z.string(), name: NameView }),
  /** The additional rights of the role over the default roles, and the tags to which some of them are limited. */
  gives: z.array(z.object({ right: z.string(), tag: NameView.nullable() })),
  specifications: z.array(SpecificationView),
  /** The cards whose unused value is deducted from the price of this one. */
  replaces: z.array(z.object({ id: z.string(), name: NameView })),
})
export type CardView = z.infer<typeof CardView>

export const membershipCardList = read('/membershipCard/list', {
  summary: 'Membership cards on sale, with benefits and prices.',
  input: nothing,
  output: z.object({ cards: z.array(CardView) }),
  shared: true,
})

export const membershipCard = read('/membershipCard', {
  summary: 'A membership card on sale, with its introduction in the requested language.',
  input: z.object({ membershipCardId: id, language: z.enum(['zh', 'en']) }),
  output: CardView.extend({ segments: z.array(z.object({ html: z.string() })), summary: z.string() }),
  shared: true,
})

const quantity = z.int().min(1).max(maxQuantity).default(1)
const purchaseFields = {
  specificationId: id,
  quantity,
  /** The code of a coupon, in any spelling. */
  coupon: z.string().trim().max(40).optional(),
  /** The name of the receiver of a gift; absent if the buyer is the holder. */
  receiver: plainString.max(60).optional(),
  /** Deducts the unused value of the cards that this one replaces, and ends them. */
  upgrades: z.boolean().default(false),
}

export const membershipQuote = read('/membershipCard/quote', {
  summary: 'Current price of a specification for the member, the end of the role after purchase, and any missing funds.',
  input: z.object(purchaseFields),
  output: z.object({
    /** The price of the specification times the quantity. */
    price: PriceView,
    /** The discount by the coupon. */
    discount: PriceView,
    /** The unused value of the replaced cards; null without any. Deducted only for an upgrade. */
    rest: PriceView.nullable(),
    toPay: PriceView,
    have: PriceView,
    /** The shortfall of balance and points; null if there is enough. */
    missing: PriceView,
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    /** The end of the holder's current time in the role. */
    heldUntil: z.iso.datetime().nullable(),
  }),
  errors: [
    NotOnSale,
    SoldOut,
    HeldForGood,
    HeldTooLong,
    ReceiverUnknown,
    ReceiverIsSelf,
    ReceiverTakesNothing,
    ReceiverHoldsForGood,
    NothingToUpgrade,
    UpgradeWorthLess,
    ...couponRefusals,
  ],
})

export const buyMembership = write('/membershipCard/buy', {
  summary: 'Buys a membership card with balance and points, for the member or as a gift. A repeated purchase extends the current period.',
  input: z.object({
    ...purchaseFields,
    /** The message of a gift. */
    note: plainString.max(maxNote).optional(),
    /** The amount due that the buyer saw. */
    cash: amountOrZero('cny'),
    points: amountOrZero('points'),
  }),
  output: z.object({ orderId: z.string(), number: z.string(), startsAt: z.iso.datetime(), endsAt: z.iso.datetime() }),
  errors: [
    NotOnSale,
    SoldOut,
    PriceChanged,
    HeldForGood,
    HeldTooLong,
    ReceiverUnknown,
    ReceiverIsSelf,
    ReceiverTakesNothing,
    ReceiverHoldsForGood,
    WordsInField,
    NothingToUpgrade,
    UpgradeWorthLess,
    Banned,
    ProveAgain,
    ...couponRefusals,
    ...moneyRefusals,
  ],
})

export const OrderView = z.object({
  id: z.string(),
  number: z.string(),
  at: z.iso.datetime(),
  /** The names at the time of purchase. */
  role: NameView,
  card: NameView,
  specification: NameView,
  quantity: z.number(),
  duration: z.number(),
  unit: z.enum(units),
  /** The price before the coupon, and the amount paid; empty for a received gift. */
  price: PriceView,
  paid: PriceView,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** The refunded amount, and whether it was for an upgrade. */
  refund: PriceView.extend({ at: z.iso.datetime(), isUpgrade: z.boolean() }).nullable(),
  /** The other participant of a gift, and the giver's message. */
  gift: z.object({ from: AuthorView.nullable(), to: AuthorView.nullable(), note: z.string().nullable() }).nullable(),
})
export type OrderView = z.infer<typeof OrderView>

export const membershipCardOrderList = read('/user/control/membershipCardOrderList', {
  summary: 'Membership cards that the member bought or received, newest first, with the periods in which they held roles.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    orders: z.array(OrderView),
    /** Only on the first page. */
    roles: z.array(z.object({ name: NameView, from: z.iso.datetime(), until: z.iso.datetime().nullable(), isNow: z.boolean() })),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
  }),
})

/** An amount, or 0. */
export function amountOrZero(currency: Currency) {
  return z.string().transform((text, context) => {
    const amount = /^0(\.0{1,2})?$/.test(normalizeNumber(text)) ? toMinor(0) : parseAmount(currency, text)
    if (amount !== null) return amount
    context.addIssue({ code: 'custom', params: { code: currency === 'points' ? 'wallet.noPoints' : 'wallet.noAmount' } })
    return z.NEVER
  })
}
