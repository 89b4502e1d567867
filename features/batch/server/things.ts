import type { Thing } from '#batch/contract.ts'
import type { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { Staff } from '#base/server/http/route.ts'
import type { NameView } from '#role/contract.ts'

/** What is different, as the log shows it, and as it is kept to be undone. */
export type Change = { before: object; after: object }
/** What a deed was told: its reason, and where, how long or what. */
export type BulkInput = { reason: string } & Record<string, unknown>
/** What one of them became, in a batch or where it is undone. */
export type Done = Change & { id: string }
export type Item = { kind: Thing; id: string; deed: string; wish: BulkInput }

/** What a list was narrowed to, as its address says it. */
export type Narrowed = Readonly<Record<string, string>>
/** What is meant where a filter names it by number or key. */
export type Called = (narrowed: Narrowed, filter: string) => NameView | null

/** What a deed asks for. */
export type Need = {
  right: string
  /** Also where they are few. */
  isProved?: boolean
  /** Nothing brings back what it did. */
  isFinal?: boolean
  /** All of it is done in one go, and only undone as a batch. */
  isOneGo?: boolean
}

/** Things of one kind, and what can be done to many of them. Each deed is the one that is done to one of them, and refuses for itself. */
export type Things = {
  /** The right to look at them. */
  seenWith: string
  /** Null for what this version of the forum does not know. */
  need: (deed: string) => Need | null
  /** Does it to one, and notes nothing. Null where nothing changed. */
  doTo: (tx: Db, by: Staff, item: Item) => Promise<Change | null>
  /** Puts back what was changed, where it still stands so; refuses where it does not, or gives its refusal where what it noted shall stay. */
  undo: (tx: Db, by: Staff, item: Item & Change) => Promise<Refusal | void>
  /** Tells members what became of theirs: of all that one turn of a batch did, together, for nothing else tells them. */
  tell?: (tx: Db, batch: { id: string; kind: Thing; reason: string | null }, done: readonly Done[]) => Promise<void>
  /** What the log says a deed to one of them was about; without it, its kind and number. */
  about?: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What they are called, to tell those that were left alone; without it they are told by number. */
  called?: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Finds the names of what lists of them were narrowed to. */
  calledIn: (db: Db, all: readonly Narrowed[]) => Promise<Called>
}

export type AllThings = Readonly<Record<Thing, Things>>

declare module '#base/server/feature.ts' {
  interface Feature {
    /** What staff can do to many of its things at once. */
    readonly bulkTargets?: Partial<AllThings>
  }
}

/** All that staff can do something to many of at once, as the features bring it. */
export function allThings(db: Db): AllThings {
  return Object.assign({}, ...featuresOf(db).map(({ bulkTargets }) => bulkTargets)) as AllThings
}
