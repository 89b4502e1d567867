import type { BulkTargetKind } from '#batch/contract.ts'
import type { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { Staff } from '#base/server/http/route.ts'
import type { NameView } from '#role/contract.ts'

/** The difference, for the log and for the undo. */
export type Change = { before: object; after: object }
/** The input of a bulk action: its reason, and further parameters. */
export type BulkInput = { reason: string } & Record<string, unknown>
/** The result for one item, in a batch or its undo. */
export type ChangedItem = Change & { id: string }
export type Item = { kind: BulkTargetKind; id: string; action: string; input: BulkInput }

/** The filters of a list, as in its URL. */
export type ListFilters = Readonly<Record<string, string>>
/** The name of the item that a filter refers to by id or key. */
export type FilterNames = (filters: ListFilters, filter: string) => NameView | null

/** Requirements of an action. */
export type BulkActionRequirements = {
  right: string
  /** Also for few items. */
  isProved?: boolean
  /** It cannot be undone. */
  isFinal?: boolean
  /** All items are processed in one transaction, and undone only together. */
  isOneGo?: boolean
}

/** Items of one kind, with their bulk actions. Each action is the one for a single item, which may refuse. */
export type BulkTarget = {
  /** The right to see them. */
  viewRight: string
  /** Null for an action that this version of the forum does not know. */
  requirements: (action: string) => BulkActionRequirements | null
  /** Applies it to one item, without a log entry. Null where nothing changed. */
  apply: (tx: Db, by: Staff, item: Item) => Promise<Change | null>
  /** Reverts a change that is still in place; otherwise throws a refusal, or returns it where its log entry should stay. */
  undo: (tx: Db, by: Staff, item: Item & Change) => Promise<Refusal | void>
  /** Notifies members of all changes of one step of a batch together; nothing else does. */
  notify?: (tx: Db, batch: { id: string; kind: BulkTargetKind; reason: string | null }, done: readonly ChangedItem[]) => Promise<void>
  /** The subjects of log entries; by default the kind and id. */
  about?: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The names of items, to list skipped ones; by default their ids. */
  namesOf?: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Looks up the names in the filters of lists. */
  filterNames: (db: Db, all: readonly ListFilters[]) => Promise<FilterNames>
}

export type BulkTargets = Readonly<Record<BulkTargetKind, BulkTarget>>

declare module '#base/server/feature.ts' {
  interface Feature {
    /** The bulk actions of staff on its things. */
    readonly bulkTargets?: Partial<BulkTargets>
  }
}

/** All that staff can do something to many of at once, as the features bring it. */
export function allThings(db: Db): BulkTargets {
  return Object.assign({}, ...featuresOf(db).map(({ bulkTargets }) => bulkTargets)) as BulkTargets
}
