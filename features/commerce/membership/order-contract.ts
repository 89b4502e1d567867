import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, Person, staffList } from '#base/staff-list.ts'
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

const state = field.labelled(
  'orderState',
  field.choice(orderStates, (name) => `order${name}`),
)

export const membershipOrders = staffList('/admin/membershipOrder/list', {
  summary: 'Orders of membership cards, newest first.',
  words: 'membershipAdmin',
  columns: {
    number: field.labelled('orderNumber', field.text),
    at: field.labelled('orderAt', field.time),
    /** The names of card, option and role at the time of purchase. */
    card: field.labelled('orderCard', field.other(NameView)),
    buyer: field.labelled('orderBuyer', field.person),
    holder: field.labelled('orderHolder', field.person),
    paid: field.labelled('orderPaid', field.other(PriceView)),
    state,
    endsAt: field.labelled('orderEnds', field.time),
    startsAt: field.extra(field.labelled('orderStarts', field.time)),
    coupon: field.extra(field.labelled('orderCoupon', field.orNull(field.text))),
    refund: field.extra(field.labelled('orderRefunded', field.other(PriceView.extend({ at: time, isUpgrade: z.boolean() }).nullable()))),
  },
  values: {
    cardId: z.string(),
    specificationId: z.string(),
    specification: NameView,
    role: NameView,
    isGift: z.boolean(),
    quantity: z.number(),
    duration: z.number(),
    unit: z.enum(units),
    price: PriceView,
  },
  filters: {
    card: field.typed(id.optional()),
    specification: field.typed(id.optional()),
    /** The buyer or the holder. */
    member: field.labelled('orderMember', field.person),
    number: field.labelled('orderNumber', field.typed(typedDigits.regex(/^\d{1,20}$/).optional())),
    from: field.labelled('orderFrom', field.days.from),
    until: field.labelled('orderUntil', field.days.until),
    state,
    gift: field.labelled(
      'orderGift',
      field.choice(['yes'], () => 'orderGifts'),
    ),
    coupon: field.labelled(
      'orderCoupon',
      field.choice(['yes'], () => 'orderWithCoupon'),
    ),
  },
  sorts: { at: 'at' },
})
export type StaffOrderView = z.output<typeof membershipOrders.row>

export const membershipOrderTotals = read('/admin/membershipOrder/totals', {
  summary: 'Number of orders that match the filters, with the amounts paid and refunded.',
  input: membershipOrders.filterInput,
  output: z.object({ count: z.number(), paid: PriceView, refunded: PriceView, refunds: z.number() }),
})

export const noteOrderExport = exportOf('/admin/membershipOrder/export')

export const membershipOrder = read('/admin/membershipOrder', {
  summary: 'An order of a membership card, with the amount that a refund would return now.',
  input: z.object({ orderId: id }),
  output: membershipOrders.row.extend({
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
    roles: z.array(z.object({ name: NameView, from: time, until: time.nullable(), isNow: z.boolean() })),
  }),
})
