import type { Api, Output } from '#base/contract.ts'
import type { RequiredRight } from '#staff/admin/staff.tsx'
import type { paymentsWaiting } from '#payment/event-contract.ts'
import type { StaffQueue } from '#statistic/contract.ts'

/** The sections of the menu, in order. */
export const groups = ['overview', 'content', 'members', 'payments', 'site', 'house', 'upkeep'] as const
export type Group = (typeof groups)[number]

/** Pending counts by screen, as far as the viewer may see them. */
export type PendingCounts = Partial<Record<StaffQueue | keyof Output<typeof paymentsWaiting>, number | null>>

export type LoaderArgs = { api: Api; url: URL }

/** One address of the administration. Its component is in a file that exports `Page`. */
export type Screen = {
  path: string
  file: string
  /** The message key of its name, in the menu and on its tab. */
  title: string
  /** The screen is hidden from staff without this right. */
  right: RequiredRight
  /** The section of the menu; undefined for screens that are opened from others. */
  group?: Group
  /** The initial query of its list in the menu. */
  initialQuery?: `?${string}`
  /** Its menu entry, unless it is the one with the same path prefix. */
  under?: string
  /** The pending count in the menu. */
  pendingCount?: keyof PendingCounts
  /** A title from the loaded data. */
  titleOf?: (loaded: never) => string | undefined
  load?: (args: LoaderArgs) => Promise<unknown>
}
