import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'membership',
  staffRights: { wallet: ['membership.view', 'membership.manage', 'membership.refund'] },
  auditActions: [
    'membershipCard.add',
    'membershipCard.edit',
    'membershipCard.remove',
    'membershipCard.restore',
    'membershipOrder.refund',
    'membershipOrder.export',
    'coupon.add',
    'coupon.edit',
    'coupon.addCodes',
    'coupon.export',
    'giftTask.add',
    'giftTask.edit',
    'giftTask.remove',
  ],
  auditSubjects: {
    membershipCard: (id) => `/admin/membershipCard/edit?cardId=${id}`,
    membershipOrder: (id) => `/admin/membershipOrder/view?orderId=${id}`,
    coupon: (id) => `/admin/coupon/view?couponId=${id}`,
    giftTask: (id) => `/admin/giftTask/view?taskId=${id}`,
  },
} as const satisfies Manifest
