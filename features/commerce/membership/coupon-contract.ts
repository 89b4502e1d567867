import { z } from 'zod'
import { ChangedSince, exportOf } from '#audit/contract.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { CodeTaken, CodeUsedMore, CouponEndsFirst, PriceView } from '#membership/contract.ts'
import { codePattern, normalizeCode } from '#membership/coupon-code.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'
import { amountField } from '#wallet/contract.ts'

export const maxCodes = 10_000
export const maxUses = 1_000_000
export const codeLength = 12
export const maxPrefix = 20

export const couponStates = ['running', 'coming', 'ended', 'off'] as const

const state = field.choice(couponStates, (name) => (name === 'off' ? 'disabled' : name))

export const couponList = staffList('/admin/coupon/list', {
  summary: 'Coupons for membership cards.',
  words: 'membershipAdmin',
  columns: {
    name: field.labelled('coupon', field.text),
    /** The discount: a percentage, or amounts. */
    off: field.other(PriceView),
    uses: field.number,
    startsAt: field.labelled('from', field.time),
    endsAt: field.labelled('until', field.orNull(field.time)),
    /** The cards to which it is limited; empty for all. */
    cards: field.labelled('forCards', field.other(z.array(z.object({ id: z.string(), name: NameView })))),
    state,
    actions: field.composed,
  },
  values: {
    percent: z.number().nullable(),
    /** The minimum price in yuan. */
    minPrice: z.string().nullable(),
    usesPerMember: z.number().nullable(),
    isEnabled: z.boolean(),
    codes: z.number(),
    /** The maximum uses of all its codes; null without a limit. */
    maxUses: z.number().nullable(),
    version: z.number(),
  },
  filters: {
    /** A part of the name, or a complete code. */
    keyword: field.labelled('nameOrCode', field.typed(z.string().trim().max(90).optional())),
    state,
  },
  sorts: { made: null },
})
export type CouponRow = z.output<typeof couponList.row>

export const couponForStaff = read('/admin/coupon/view', {
  summary: 'A coupon for membership cards.',
  input: z.object({ couponId: id }),
  output: couponList.row,
})

const moment = z.iso.datetime({ offset: true })
const uses = z.int().min(1).max(maxUses).optional()
const code = z
  .string()
  .max(60)
  .transform((typed, context) => {
    const normalized = normalizeCode(typed)
    if (!codePattern.test(normalized)) context.addIssue({ code: 'custom', params: { code: 'membership.codeForm' } })
    return normalized
  })

const couponForm = {
  name: plainString.min(1).max(60),
  percent: z.int().min(1).max(100).optional(),
  cash: amountField('cny').optional(),
  points: amountField('points').optional(),
  minPrice: amountField('cny').optional(),
  usesPerMember: z.int().min(1).max(1_000).optional(),
  /** By default now, or unchanged. */
  startsAt: moment.optional(),
  endsAt: moment.optional(),
  isEnabled: z.boolean().default(true),
  cardIds: z.array(id).max(100).default([]),
}

type DiscountInput = { percent?: number | undefined; cash?: bigint | undefined; points?: bigint | undefined }

function requireDiscount({ percent, cash, points }: DiscountInput, { addIssue }: z.core.$RefinementCtx): void {
  const hasAmount = cash !== undefined || points !== undefined
  if ((percent === undefined) === hasAmount) return
  const code = hasAmount ? 'membership.percentOrAmount' : 'membership.takesNothingOff'
  addIssue({ code: 'custom', path: ['percent'], params: { code } })
}

export const addCoupon = write('/admin/coupon/add', {
  summary: 'Adds a coupon for membership cards, optionally with a shared code.',
  input: z.object({ ...couponForm, code: code.optional(), maxUses: uses }).superRefine(requireDiscount),
  output: z.object({ couponId: z.string() }),
  errors: [CodeTaken, CouponEndsFirst, MoreThanOwn],
})

export const editCoupon = write('/admin/coupon/edit', {
  summary: 'Changes a coupon. Existing orders keep their price.',
  input: z.object({ couponId: id, version: z.int().min(1).max(2_000_000_000), ...couponForm }).superRefine(requireDiscount),
  output: nothing,
  errors: [CouponEndsFirst, MoreThanOwn, ChangedSince],
})

export const enableCoupon = write('/admin/coupon/enable', {
  summary: 'Enables or disables a coupon.',
  input: z.object({ couponId: id, isEnabled: z.boolean() }),
  output: nothing,
  errors: [MoreThanOwn],
})

export const couponCodeList = staffList('/admin/coupon/code/list', {
  summary: 'Codes of a coupon with their use counts, newest first.',
  words: 'membershipAdmin',
  columns: { code: field.text, uses: field.number, maxUses: field.orNull(field.number) },
  filters: { couponId: field.typed(id), used: field.choice(['no', 'yes', 'up']) },
  sorts: { made: null },
})
export type CodeRow = z.output<typeof couponCodeList.row>

export const addCouponCode = write('/admin/coupon/code/add', {
  summary: 'Adds a chosen code to a coupon.',
  input: z.object({ couponId: id, code, maxUses: uses }),
  output: nothing,
  errors: [CodeTaken, MoreThanOwn],
})

export const makeCouponCodes = write('/admin/coupon/code/make', {
  summary: 'Generates random codes for a coupon, each with the same maximum number of uses.',
  input: z.object({
    couponId: id,
    count: z.int().min(1).max(maxCodes),
    /** The common prefix. */
    prefix: z
      .string()
      .max(60)
      .default('')
      .transform((typed, context) => {
        const normalized = normalizeCode(typed)
        if (!/^[A-Z0-9-]{0,20}$/.test(normalized)) context.addIssue({ code: 'custom', params: { code: 'membership.prefixForm' } })
        return normalized
      }),
    maxUses: z.int().min(1).max(maxUses).default(1),
  }),
  output: z.object({ count: z.number() }),
  errors: [MoreThanOwn],
})

export const limitCouponCode = write('/admin/coupon/code/limit', {
  summary: 'Changes the maximum number of uses of a coupon code, or removes the limit.',
  input: z.object({ codeId: id, maxUses: uses }),
  output: nothing,
  errors: [CodeUsedMore, MoreThanOwn],
})

export const noteCodesExport = exportOf('/admin/coupon/code/export')
