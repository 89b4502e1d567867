import type { Api } from '#base/contract.ts'
import type { Say } from '#base/web/words.tsx'
import { findTopics } from '#content/admin/find-topics.ts'
import { findMembers } from '#member/admin/find-members.ts'
import { findCards, findCoupons } from '#membership/admin/find-membership.ts'
import { findOrders } from '#membership/admin/find-orders.ts'
import { findPayments } from '#payment/admin/find-payments.ts'
import { findSettings } from '#setting/admin/find-settings.ts'
import { findTransactions } from '#wallet/admin/find-transactions.ts'
import type { StaffRight } from '#staff/admin/staff.tsx'

export type FinderResult = {
  /** What it is called. */ name: string
  /** What tells it from others of that name. */ hint?: string
  to: string
}

/** Finds things by what one types in the palette, in the language of the page or the other: `says` has its own first. A feature adds its own by a line in `finders`. */
export type Finder = {
  /** The code of the words above what it found. */
  title: string
  right: StaffRight
  find: (typed: string, api: Api, says: readonly Say[]) => Promise<FinderResult[]>
}

export const finders: readonly Finder[] = [
  { title: 'contentAdmin.topics', right: 'content.view', find: findTopics },
  { title: 'memberAdmin.members', right: 'member.view', find: findMembers },
  { title: 'walletAdmin.transactions', right: 'wallet.view', find: findTransactions },
  { title: 'membershipAdmin.cards', right: 'membership.manage', find: findCards },
  { title: 'membershipAdmin.coupons', right: 'membership.manage', find: findCoupons },
  { title: 'membershipAdmin.orders', right: 'membership.view', find: findOrders },
  { title: 'paymentAdmin.payments', right: 'payment.view', find: findPayments },
  { title: 'settingAdmin.found', right: 'setting.view', find: findSettings },
]
