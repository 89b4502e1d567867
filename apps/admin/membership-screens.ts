import type { Screen } from '#apps/admin/screen.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import type { Output } from '#base/contract.ts'
import { couponCodeList, couponList, type couponForStaff } from '#membership/coupon-contract.ts'
import type { membershipCardForStaff, membershipCardsForStaff } from '#membership/staff-contract.ts'

const features = '../../features'

/** Membership cards and prices. */
export const membershipScreens: readonly Screen[] = [
  {
    path: '/admin/membershipCard',
    file: `${features}/membership/admin/cards-page.tsx`,
    title: 'membershipAdmin.cards',
    right: 'membership.view',
    group: 'members',
    load: ({ api }) => api.read<typeof membershipCardsForStaff>('/admin/membershipCard/list', {}),
  },
  {
    path: '/admin/membershipCard/edit',
    file: `${features}/membership/admin/edit-card-page.tsx`,
    title: 'membershipAdmin.addCard',
    titleOf: ({ card }: { card: Output<typeof membershipCardForStaff> | null }) => card?.name.zh,
    right: 'membership.manage',
    load: async ({ api, url }) => {
      const cardId = url.searchParams.get('cardId')
      const [card, all] = await Promise.all([
        cardId ? api.read<typeof membershipCardForStaff>('/admin/membershipCard/view', { cardId }) : null,
        api.read<typeof membershipCardsForStaff>('/admin/membershipCard/list', {}),
      ])
      return { ...all, card }
    },
  },
  {
    path: '/admin/coupon',
    file: `${features}/membership/admin/coupons-page.tsx`,
    title: 'membershipAdmin.coupons',
    right: 'membership.view',
    group: 'members',
    load: listLoader(couponList),
  },
  {
    path: '/admin/coupon/view',
    file: `${features}/membership/admin/coupon-page.tsx`,
    title: 'membershipAdmin.addCoupon',
    titleOf: ({ coupon }: { coupon: Output<typeof couponForStaff> | null }) => coupon?.name,
    right: 'membership.manage',
    load: async ({ api, url }) => {
      const couponId = url.searchParams.get('couponId')
      const [coupon, codes, { cards }] = await Promise.all([
        couponId ? api.read<typeof couponForStaff>('/admin/coupon/view', { couponId }) : null,
        couponId ? api.read<typeof couponCodeList>('/admin/coupon/code/list', listQuery(couponCodeList, url)) : null,
        api.read<typeof membershipCardsForStaff>('/admin/membershipCard/list', {}),
      ])
      return { coupon, codes, cards }
    },
  },
]
