import type { Feature } from '#base/server/feature.ts'
import { memberErased, membersMerged } from '#membership/server/membership.ts'
import { archive } from '#membership/server/archive-parts.ts'
import { bookChecks } from '#membership/server/book-checks.ts'
import { giftRoutes } from '#membership/server/gift-routes.ts'
import { jobs } from '#membership/server/give.ts'
import { orderRoutes } from '#membership/server/order-routes.ts'
import { routes } from '#membership/server/routes.ts'
import { orderRefund } from '#membership/server/refund-by-hand.ts'

export const feature: Feature = {
  name: 'membership',
  routes: [...routes, ...orderRoutes, ...giftRoutes],
  jobs,
  bookChecks,
  auditSubjects: {
    membershipCard: { table: 'membership_card', zh: 'name_zh', en: 'name_en' },
    coupon: { table: 'membership_coupon', zh: 'name', en: 'name' },
    giftTask: { table: 'membership_gift_task', zh: 'name', en: 'name' },
  },
  moneyRequests: [orderRefund],
  archive,
  memberColumns: {
    'membership_gift.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'membership_order.buyer_id': { archive: true, erase: 'The books never change; the note of a gift goes.', merge: 'moment' },
    'membership_order.member_id': { archive: true, erase: 'The books never change.', merge: 'moment' },
  },
  moments: { membersMerged, memberErased },
}
