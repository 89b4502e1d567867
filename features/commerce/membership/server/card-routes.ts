import { renderPage } from '#base/server/long-text.ts'
import { atMost, route, staff } from '#base/server/http/route.ts'
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

export const cardRoutes = [
  route(contract.membershipCardsForStaff, looks, ({ db, viewer }) => list(db, viewer.staff)),
  route(contract.membershipCardForStaff, looks, ({ db, input }) => view(db, input.cardId)),
  route(contract.addMembershipCard, manages, ({ db, viewer, input, client }) => manage.add(db, viewer, client, input)),
  route(contract.editMembershipCard, manages, async ({ db, viewer, input, client }) => {
    await manage.edit(db, viewer, client, input)
    return none
  }),
  route(contract.removeMembershipCard, manages, async ({ db, viewer, input, client }) => {
    await manage.remove(db, viewer, client, input.cardId)
    return none
  }),
  route(contract.restoreMembershipCard, manages, async ({ db, viewer, input, client }) => {
    await manage.restore(db, viewer, client, input.cardId)
    return none
  }),
  route(contract.previewCard, manages, async ({ input }) => ({ segments: (await renderPage(input.markdown)).segments })),
  route(contract.uploadCardPicture, manages, ({ db, viewer, prepared }) => picture.add(db, viewer, prepared), {
    uploadBytes: picture.maxBytes,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
    prepare: picture.store,
  }),
  route(contract.addSpecification, manages, ({ db, viewer, input, client }) => specification.add(db, viewer, client, input)),
  route(contract.editSpecification, manages, async ({ db, viewer, input, client }) => {
    await specification.edit(db, viewer, client, input)
    return none
  }),
  route(contract.removeSpecification, manages, async ({ db, viewer, input, client }) => {
    await specification.remove(db, viewer, client, input.specificationId)
    return none
  }),
  // A repeated request would add the units twice.
  route(
    contract.changeStock,
    manages,
    async ({ db, viewer, input, client }) => {
      await specification.adjustStock(db, viewer, client, input)
      return none
    },
    { requiresIdempotencyKey: true },
  ),

  route(couponContract.couponList, looks, ({ db, input }) => coupons.list(db, input)),
  route(couponContract.couponForStaff, looks, ({ db, input }) => coupons.view(db, input.couponId)),
  route(couponContract.addCoupon, manages, ({ db, viewer, input, client }) => manageCoupon.add(db, viewer.staff, client, input)),
  route(couponContract.editCoupon, manages, async ({ db, viewer, input, client }) => {
    await manageCoupon.edit(db, viewer.staff, client, input)
    return none
  }),
  route(couponContract.enableCoupon, manages, async ({ db, viewer, input, client }) => {
    await manageCoupon.enable(db, viewer.staff, client, input)
    return none
  }),
  // A code is worth money to every reader.
  route(couponContract.couponCodeList, manages, ({ db, input }) => coupons.codes(db, input)),
  route(couponContract.addCouponCode, manages, async ({ db, viewer, input, client }) => {
    await manageCoupon.addCode(db, viewer.staff, client, input)
    return none
  }),
  route(
    couponContract.makeCouponCodes,
    manages,
    ({ db, viewer, input, client }) => manageCoupon.makeCodes(db, viewer.staff, client, input),
    {
      requiresIdempotencyKey: true,
      limits: atMost({ times: 10, seconds: 60 }),
    },
  ),
  route(couponContract.limitCouponCode, manages, async ({ db, viewer, input, client }) => {
    await manageCoupon.limitCode(db, viewer.staff, client, input)
    return none
  }),
  route(couponContract.noteCodesExport, manages, audit.noteExport('coupon.export')),
]
