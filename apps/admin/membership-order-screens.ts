import type { Screen } from '#apps/admin/screen.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import type { Output } from '#base/contract.ts'
import type { membershipFigures } from '#membership/figures-contract.ts'
import { gifts, type giftTasks } from '#membership/gift-contract.ts'
import {
  membershipOrders,
  membershipOrderTotals,
  type memberRoleTimes,
  type membershipChoices,
  type membershipOrder,
} from '#membership/order-contract.ts'

const features = '../../features'

/** Orders and grants of membership cards. */
export const membershipOrderScreens: readonly Screen[] = [
  {
    path: '/admin/membershipOrder',
    file: `${features}/membership/admin/orders-page.tsx`,
    title: 'membershipAdmin.orders',
    right: 'membership.view',
    group: 'members',
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
    file: `${features}/membership/admin/order-page.tsx`,
    title: 'membershipAdmin.order',
    titleOf: ({ number }: Output<typeof membershipOrder>) => number,
    right: 'membership.view',
    load: ({ api, url }) => api.read<typeof membershipOrder>('/admin/membershipOrder', { orderId: url.searchParams.get('orderId') ?? '' }),
  },
  {
    path: '/admin/membershipOrder/member',
    file: `${features}/membership/admin/member-page.tsx`,
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
    file: `${features}/membership/admin/figures-page.tsx`,
    title: 'membershipAdmin.figures',
    right: 'membership.view',
    group: 'members',
    load: ({ api, url }) => {
      const days = Number(url.searchParams.get('days') ?? 30)
      return api.read<typeof membershipFigures>('/admin/membershipFigures', { days })
    },
  },
  {
    path: '/admin/giftTask',
    file: `${features}/membership/admin/gift-tasks-page.tsx`,
    title: 'membershipAdmin.gifts',
    right: 'membership.manage',
    group: 'members',
    load: ({ api }) => api.read<typeof giftTasks>('/admin/giftTask/list', {}),
  },
  {
    path: '/admin/giftTask/view',
    file: `${features}/membership/admin/gift-task-page.tsx`,
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
