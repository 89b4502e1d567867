import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import { findTopics } from '#content/admin/find-topics.ts'
import { findMembers } from '#member/admin/find-members.ts'
import { findCards, findCoupons } from '#membership/admin/find-membership.ts'
import { findOrders } from '#membership/admin/find-orders.ts'
import { findPayments } from '#payment/admin/find-payments.ts'
import { findSettings } from '#setting/admin/find-settings.ts'
import { findTransactions } from '#wallet/admin/find-transactions.ts'
import type { StaffRight } from '#staff/admin/staff.tsx'

export type FinderResult = {
  /** The display name. */ name: string
  /** Tells it from others of that name. */ hint?: string
  to: string
}

/** Finds things by the text typed in the palette, in either language; `says` has the page's first. A feature adds its own to `finders`. */
export type Finder = {
  /** The message key of the results' heading. */
  title: string
  right: StaffRight
  find: (typed: string, api: Api, says: readonly Translate[]) => Promise<FinderResult[]>
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
