import { pageOf } from '#base/server/long-text.ts'
import { doneAtMost, on, staff } from '#base/server/route.ts'
import * as audit from '#audit/server/audit.ts'
import * as couponContract from '#membership/coupon-contract.ts'
import * as picture from '#membership/server/card-picture.ts'
import { list, view } from '#membership/server/cards-for-staff.ts'
import * as coupons from '#membership/server/coupons-for-staff.ts'
import * as manageCoupon from '#membership/server/manage-coupons.ts'
import * as manage from '#membership/server/manage-cards.ts'
import * as specification from '#membership/server/manage-specifications.ts'
import * as contract from '#membership/staff-contract.ts'

const looks = staff('membership.view')
const manages = staff('membership.manage')
const none = {}

/** What staff do with cards, specifications and coupons. */
export const cardRoutes = [
  on(contract.membershipCardsForStaff, looks, ({ db, viewer }) => list(db, viewer.staff)),
  on(contract.membershipCardForStaff, looks, ({ db, input }) => view(db, input.cardId)),
  on(contract.addMembershipCard, manages, ({ db, viewer, input, from }) => manage.add(db, viewer, from, input)),
  on(contract.editMembershipCard, manages, async ({ db, viewer, input, from }) => {
    await manage.edit(db, viewer, from, input)
    return none
  }),
  on(contract.removeMembershipCard, manages, async ({ db, viewer, input, from }) => {
    await manage.remove(db, viewer, from, input.cardId)
    return none
  }),
  on(contract.restoreMembershipCard, manages, async ({ db, viewer, input, from }) => {
    await manage.restore(db, viewer, from, input.cardId)
    return none
  }),
  on(contract.previewCard, manages, async ({ input }) => ({ segments: (await pageOf(input.markdown)).segments })),
  on(contract.uploadCardPicture, manages, ({ db, viewer, prepared }) => picture.add(db, viewer, prepared), {
    uploadBytes: picture.largestBytes,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
    prepare: picture.keep,
  }),
  on(contract.addSpecification, manages, ({ db, viewer, input, from }) => specification.add(db, viewer, from, input)),
  on(contract.editSpecification, manages, async ({ db, viewer, input, from }) => {
    await specification.edit(db, viewer, from, input)
    return none
  }),
  on(contract.removeSpecification, manages, async ({ db, viewer, input, from }) => {
    await specification.remove(db, viewer, from, input.specificationId)
    return none
  }),
  // The same units twice are twice as many.
  on(
    contract.changeStock,
    manages,
    async ({ db, viewer, input, from }) => {
      await specification.stock(db, viewer, from, input)
      return none
    },
    { demandsKey: true },
  ),

  on(couponContract.couponList, looks, ({ db, input }) => coupons.list(db, input)),
  on(couponContract.couponForStaff, looks, ({ db, input }) => coupons.view(db, input.couponId)),
  on(couponContract.addCoupon, manages, ({ db, viewer, input, from }) => manageCoupon.add(db, viewer.staff, from, input)),
  on(couponContract.editCoupon, manages, async ({ db, viewer, input, from }) => {
    await manageCoupon.edit(db, viewer.staff, from, input)
    return none
  }),
  on(couponContract.enableCoupon, manages, async ({ db, viewer, input, from }) => {
    await manageCoupon.enable(db, viewer.staff, from, input)
    return none
  }),
  // A code is worth money to anybody who reads it.
  on(couponContract.couponCodeList, manages, ({ db, input }) => coupons.codes(db, input)),
  on(couponContract.addCouponCode, manages, async ({ db, viewer, input, from }) => {
    await manageCoupon.addCode(db, viewer.staff, from, input)
    return none
  }),
  on(couponContract.makeCouponCodes, manages, ({ db, viewer, input, from }) => manageCoupon.makeCodes(db, viewer.staff, from, input), {
    demandsKey: true,
    limits: doneAtMost({ times: 10, seconds: 60 }),
  }),
  on(couponContract.limitCouponCode, manages, async ({ db, viewer, input, from }) => {
    await manageCoupon.limitCode(db, viewer.staff, from, input)
    return none
  }),
  on(couponContract.noteCodesExport, manages, audit.noteFile('coupon.export')),
]
