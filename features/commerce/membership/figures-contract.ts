import { z } from 'zod'
import { read } from '#base/contract.ts'
import { PriceView } from '#membership/contract.ts'
import { NameView } from '#role/contract.ts'

export const figureDays = [7, 30, 90, 365] as const

const Sums = z.object({ orders: z.number(), paid: PriceView, refunds: z.number(), refunded: PriceView })

export const membershipFigures = read('/admin/membershipFigures', {
  summary: 'Membership statistics: orders and refunds by day and by card, active members, and memberships that end within seven days.',
  input: z.object({
    /** The number of days, up to today. */
    days: z
      .int()
      .refine((days) => (figureDays as readonly number[]).includes(days))
      .default(30),
  }),
  output: z.object({
    timeZone: z.string(),
    hasCash: z.boolean(),
    active: z.number(),
    /** Members whose last membership of a role ends within seven days. */
    endsNextWeek: z.number(),
    total: Sums,
    days: z.array(z.object({ day: z.string(), orders: z.number(), points: z.number(), yuan: z.number(), refunds: z.number() })),
    cards: z.array(Sums.extend({ id: z.string(), name: NameView, active: z.number() })),
  }),
})
