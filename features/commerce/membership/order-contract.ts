import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, read, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { typedDigits } from '#base/typed-number.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import {
  AbovePaidCash,
  AbovePaidPoints,
  amountOrZero,
  BuyerClosed,
  LaterOrder,
  NothingLeft,
  OrderRefunded,
  PriceView,
  units,
} from '#membership/contract.ts'
import { NameView } from '#role/contract.ts'
import { BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

export const orderStates = ['running', 'ended', 'refunded'] as const

const Person = z.object({ id: z.string(), name: z.string() })

// Earlier dates are outside the calendar of the site.
const day = z.iso.date().refine((value) => value >= '1970-01-01')

const filters = {
  number: typedDigits.regex(/^\d{1,20}$/).optional(),
  card: id.optional(),
  specification: id.optional(),
  /** The buyer or the holder. */
  member: id.optional(),
  /** Days of the site, both inclusive. */
  from: day.optional(),
  until: day.optional(),
  state: z.enum(orderStates).optional(),
  gift: z.literal('yes').optional(),
  coupon: z.literal('yes').optional(),
}

export const StaffOrderView = z.object({
  id: z.string(),
  number: z.string(),
  at: z.iso.datetime(),
  cardId: z.string(),
  specificationId: z.string(),
  /** The names at the time of purchase. */
  card: NameView,
  specification: NameView,
  role: NameView,
  buyer: Person,
  holder: Person,
  isGift: z.boolean(),
  quantity: z.number(),
  duration: z.number(),
  unit: z.enum(units),
  price: PriceView,
  paid: PriceView,
  coupon: z.string().nullable(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  state: z.enum(orderStates),
  refund: PriceView.extend({ at: z.iso.datetime(), isUpgrade: z.boolean() }).nullable(),
})
export type StaffOrderView = z.infer<typeof StaffOrderView>

export const membershipOrders = read('/admin/membershipOrder/list', {
  summary: 'Orders of membership cards, newest first.',
  input: listInput(['at'], filters),
  output: listOutput(StaffOrderView),
})

export const membershipOrderTotals = read('/admin/membershipOrder/totals', {
  summary: 'Number of orders that match the filters, with the amounts paid and refunded.',
  input: z.object(filters),
  output: z.object({ count: z.number(), paid: PriceView, refunded: PriceView, refunds: z.number() }),
})

export const noteOrderExport = exportOf('/admin/membershipOrder/export')

export const membershipOrder = read('/admin/membershipOrder', {
  summary: 'An order of a membership card, with the amount that a refund would return now.',
  input: z.object({ orderId: id }),
  output: StaffOrderView.extend({
    note: z.string().nullable(),
    transactionId: z.string().nullable(),
    refundId: z.string().nullable(),
    /** The order whose upgrade ended this one. */
    upgradeId: z.string().nullable(),
    /** The unused part of the price: days that have begun are used. */
    rest: PriceView,
    /** Whether a refund takes time off the role. */
    endsRole: z.boolean(),
    /** A later order of the same role that continues this one and must be refunded first. */
    later: z.object({ id: z.string(), number: z.string() }).nullable(),
    isOwn: z.boolean(),
    isWaiting,
    canRefund: z.boolean(),
  }),
})

export const refundWays = ['rest', 'all', 'amount'] as const

export const refundMembershipOrder = write('/admin/membershipOrder/refund', {
  summary:
    'Refunds an order (unused part, all, or an amount), shortens the role and restocks. Above the configured limits it waits for approval.',
  input: refuseUnused(
    z.object({
      orderId: id,
      way: z.enum(refundWays).default('rest'),
      cash: amountOrZero('cny').optional(),
      points: amountOrZero('points').optional(),
      reason: plainString.min(1).max(500),
    }),
    { cash: ({ way }) => way === 'amount', points: ({ way }) => way === 'amount' },
  ),
  output: z.object({ isWaiting, transactionId: z.string().nullable() }),
  errors: [OrderRefunded, LaterOrder, BuyerClosed, NothingLeft, AbovePaidCash, AbovePaidPoints, OwnAccount, RequestWaits, BooksFrozen],
})

export const membershipChoices = read('/admin/membershipOrder/choices', {
  summary: 'Cards and specifications for the order filters, including removed ones.',
  input: z.object({}),
  output: z.object({
    cards: z.array(z.object({ id: z.string(), name: NameView, specifications: z.array(z.object({ id: z.string(), name: NameView })) })),
  }),
})

export const memberRoleTimes = read('/admin/membershipOrder/roles', {
  summary: 'Periods in which a member held roles, newest first.',
  input: z.object({ memberId: id }),
  output: z.object({
    member: Person,
    roles: z.array(z.object({ name: NameView, from: z.iso.datetime(), until: z.iso.datetime().nullable(), isNow: z.boolean() })),
  }),
})
