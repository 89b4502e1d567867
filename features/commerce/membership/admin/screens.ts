import { listLoader, listQuery } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { findCards, findCoupons } from '#membership/admin/find-membership.ts'
import { findOrders } from '#membership/admin/find-orders.ts'
import { couponCodeList, couponList, type couponForStaff } from '#membership/coupon-contract.ts'
import type { membershipFigures } from '#membership/figures-contract.ts'
import { gifts, type giftTasks } from '#membership/gift-contract.ts'
import {
  membershipOrders,
  membershipOrderTotals,
  type memberRoleTimes,
  type membershipChoices,
  type membershipOrder,
} from '#membership/order-contract.ts'
import type { membershipCardForStaff, membershipCardsForStaff } from '#membership/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/membershipCard',
    page: () => import('#membership/admin/cards-page.tsx'),
    title: 'membershipAdmin.cards',
    right: 'membership.view',
    group: 'members',
    aliases:
      'user upgrades subscriptions vip paid membership premium plans tiers store shop products prices 付费会员 会员等级 套餐 商品 价格 充值会员 增值 商店',
    finder: { title: 'membershipAdmin.cards', right: 'membership.manage', find: findCards },
    load: ({ api }) => api.read<typeof membershipCardsForStaff>('/admin/membershipCard/list', {}),
  },
  {
    path: '/admin/membershipCard/edit',
    page: () => import('#membership/admin/edit-card-page.tsx'),
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
    page: () => import('#membership/admin/coupons-page.tsx'),
    title: 'membershipAdmin.coupons',
    right: 'membership.view',
    group: 'members',
    aliases: 'discount promo codes promotion vouchers gift codes redeem 折扣 优惠码 促销 兑换码 代金券 活动',
    finder: { title: 'membershipAdmin.coupons', right: 'membership.manage', find: findCoupons },
    load: listLoader(couponList),
  },
  {
    path: '/admin/coupon/view',
    page: () => import('#membership/admin/coupon-page.tsx'),
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
  {
    path: '/admin/membershipOrder',
    page: () => import('#membership/admin/orders-page.tsx'),
    title: 'membershipAdmin.orders',
    right: 'membership.view',
    group: 'members',
    aliases: 'purchases sales subscriptions upgrades refunds vip premium revenue 购买 会员 订阅 退款 销售 收入 VIP',
    finder: { title: 'membershipAdmin.orders', right: 'membership.view', find: findOrders },
    load: async (question) => {
      const { api, url } = question
      const [page, totals, choices] = await Promise.all([
        listLoader(membershipOrders)(question),
        api.read<typeof membershipOrderTotals>('/admin/membershipOrder/totals', listQuery(membershipOrderTotals, url)),
        api.read<typeof membershipChoices>('/admin/membershipOrder/choices', {}),
      ])
      return { page, totals, choices }
    },
  },
  {
    path: '/admin/membershipOrder/view',
    page: () => import('#membership/admin/order-page.tsx'),
    title: 'membershipAdmin.order',
    titleOf: ({ number }: Output<typeof membershipOrder>) => number,
    right: 'membership.view',
    load: ({ api, url }) => api.read<typeof membershipOrder>('/admin/membershipOrder', { orderId: url.searchParams.get('orderId') ?? '' }),
  },
  {
    path: '/admin/membershipOrder/member',
    page: () => import('#membership/admin/member-page.tsx'),
    title: 'membershipAdmin.memberships',
    titleOf: ({ times }: { times: Output<typeof memberRoleTimes> }) => times.member.name,
    right: 'membership.view',
    load: async (question) => {
      const memberId = question.url.searchParams.get('member') ?? ''
      const [page, times] = await Promise.all([
        listLoader(membershipOrders)(question),
        question.api.read<typeof memberRoleTimes>('/admin/membershipOrder/roles', { memberId }),
      ])
      return { page, times }
    },
  },
  {
    path: '/admin/membershipFigures',
    page: () => import('#membership/admin/figures-page.tsx'),
    title: 'membershipAdmin.figures',
    right: 'membership.view',
    group: 'members',
    aliases: 'sales revenue statistics subscribers active members churn report 销售 收入 统计 会员数 报表 到期',
    load: ({ api, url }) => {
      const days = Number(url.searchParams.get('days') ?? 30)
      return api.read<typeof membershipFigures>('/admin/membershipFigures', { days })
    },
  },
  {
    path: '/admin/giftTask',
    page: () => import('#membership/admin/gift-tasks-page.tsx'),
    title: 'membershipAdmin.gifts',
    right: 'membership.manage',
    group: 'members',
    aliases: 'free trial promotion giveaway welcome automatic role campaign 体验 活动 赠送 送会员 自动发放 新人礼',
    load: ({ api }) => api.read<typeof giftTasks>('/admin/giftTask/list', {}),
  },
  {
    path: '/admin/giftTask/view',
    page: () => import('#membership/admin/gift-task-page.tsx'),
    title: 'membershipAdmin.gift',
    titleOf: ({ task }: { task: { name: string } | undefined }) => task?.name,
    right: 'membership.manage',
    load: async (question) => {
      const [{ tasks }, page] = await Promise.all([
        question.api.read<typeof giftTasks>('/admin/giftTask/list', {}),
        listLoader(gifts)(question),
      ])
      return { page, task: tasks.find(({ id }) => id === question.url.searchParams.get('taskId')) }
    },
  },
]
