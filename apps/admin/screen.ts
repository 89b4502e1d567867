import type { Api, Output } from '#base/contract.ts'
import type { Needs } from '#staff/admin/staff.tsx'
import type { paymentsWaiting } from '#payment/event-contract.ts'
import type { Desk } from '#statistic/contract.ts'

/** The parts of the menu, in their order. */
export const groups = ['overview', 'content', 'members', 'payments', 'site', 'house', 'upkeep'] as const
export type Group = (typeof groups)[number]

/** Counts of what waits for staff, by screen, as far as the viewer may see them. */
export type Waits = Partial<Record<Desk | keyof Output<typeof paymentsWaiting>, number | null>>

export type Question = { api: Api; url: URL }

/** One address of the administration. Its component is a file of its own, which exports `Page`. */
export type Screen = {
  path: string
  file: string
  /** The code of the words it is called by, in the menu and on its tab. */
  title: string
  /** Who has it not does not see the way there. */
  right: Needs
  /** Where it stands in the menu; without, one comes to it from another screen. */
  group?: Group
  /** The query that the menu opens its list with. */
  begins?: `?${string}`
  /** The entry of the menu that it belongs to, where its address does not begin like that one’s. */
  under?: string
  /** What is waiting there is counted beside it. */
  desk?: keyof Waits
  /** What the thing it shows is called, of what was loaded: it heads the tab. */
  called?: (loaded: never) => string | undefined
  load?: (question: Question) => Promise<unknown>
}
