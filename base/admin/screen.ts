import type { ComponentType } from 'react'
import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'

/** The sections of the menu, in order. */
export const groups = ['overview', 'content', 'members', 'payments', 'site', 'house', 'upkeep'] as const
export type Group = (typeof groups)[number]

/** The rights of staff, as keys. The feature that has them declares them here, by declaration merging. */
export interface StaffRights {}
type StaffRight = keyof StaffRights

/** Pending counts by name, as far as the viewer may see them. A feature that counts declares its own here, by declaration merging. */
export interface PendingCounts {}

export type LoaderArgs = { api: Api; url: URL }

/** One address of the administration. A feature exports its own from `admin/screens.ts`. */
export type Screen = {
  path: string
  page: () => Promise<{ Page: ComponentType }>
  /** The message key of its name, in the menu and on its tab. */
  title: string
  /** The screen is hidden from staff without this right. */
  right: StaffRight | 'self' | /** Any of these. */ readonly StaffRight[]
  /** The section of the menu; undefined for screens that are opened from others. */
  group?: Group
  /** The initial query of its list in the menu. */
  initialQuery?: `?${string}`
  /** Its menu entry, unless it is the one with the same path prefix. */
  under?: string
  /** The pending count in the menu. */
  pendingCount?: keyof PendingCounts
  /** The names that other forum software uses for it, in both languages. Invisible search terms of the palette. */
  aliases?: string
  /** Finds the things on it for the palette. */
  finder?: Finder
  /** A title from the loaded data. */
  titleOf?: (loaded: never) => string | undefined
  load?: (args: LoaderArgs) => Promise<unknown>
}

export type FinderResult = {
  /** The display name. */ name: string
  /** Tells it from others of that name. */ hint?: string
  to: string
}

/** Finds things by the text typed in the palette, in either language; `says` has the page's first. */
export type Finder = {
  /** The message key of the results' heading. */
  title: string
  right: StaffRight
  find: (typed: string, api: Api, says: readonly Translate[]) => Promise<FinderResult[]>
}
