import type { Minor } from '#wallet/contract.ts'
import { CouponEnded, CouponNotForThis, CouponUnknown, CouponUsed } from '#membership/contract.ts'

/** The code of a coupon, for one member's purchase. Amounts are whole cents and points. */
export type Coupon = {
  codeId: string
  percent: number | null
  cents: number | null
  points: number | null
  minCents: number
  /** Enabled, started and not ended. */
  isOpen: boolean
  isForCard: boolean
  isUsedUp: boolean
  usesPerMember: number | null
  /** The number of this member's uses. */
  usesOfMember: number
}

export type Sum = { cents: Minor; points: Minor }

/** The discount on a price: a percentage of both currencies, or amounts, never more than the price. */
export function discountOf(coupon: Pick<Coupon, 'percent' | 'cents' | 'points'>, price: Sum): Sum {
  const { percent } = coupon
  const off = (amount: bigint, its: number | null) => {
    if (percent !== null) return (amount * BigInt(percent)) / 100n
    const most = BigInt(its ?? 0)
    return most < amount ? most : amount
  }
  return { cents: off(price.cents, coupon.cents) as Minor, points: off(price.points, coupon.points) as Minor }
}

/** Refuses a coupon that this member may not use for this card at this price, or that would have no effect. */
export function refuseCoupon(coupon: Coupon | null, price: Sum): asserts coupon is Coupon {
  if (!coupon) throw CouponUnknown()
  if (!coupon.isOpen) throw CouponEnded()
  const { cents, points } = discountOf(coupon, price)
  if (!coupon.isForCard || price.cents < BigInt(coupon.minCents) || (cents === 0n && points === 0n)) throw CouponNotForThis()
  if (coupon.isUsedUp) throw CouponUsed()
  if (coupon.usesPerMember !== null && coupon.usesOfMember >= coupon.usesPerMember) throw CouponUsed()
}
