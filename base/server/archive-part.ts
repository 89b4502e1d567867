import type { RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/connection.ts'

/** One JSON file in the archive of a member's data. */
export type ArchivePart = {
  /** The name of the file, without its ending. */
  name: string
  /** The columns naming a member by which its rows are found. */
  by: readonly string[]
} & ({ rows(memberId: string): RawBuilder<unknown> } | { all(db: Db, memberId: string): Promise<unknown> })

/**
 * The fate of rows that reference a member by a column. `'moment'` says that the feature takes care of them at a moment of erasing or merging;
 * any other text is the reason why they stay.
 */
export type MemberColumn = {
  /** Whether a part of the archive finds rows by this column, or why none does. */
  archive: true | string
  /** Erasing an account deletes them, the feature does it at `memberErasing` or `memberErased`, or they stay. */
  erase: 'delete' | 'moment' | (string & {})
  /** Merging gives them to the other member or deletes them, some at a time; the feature does it at its moment; or they stay. */
  merge: 'move' | 'delete' | 'moment' | (string & {})
  /** Rows that stay where others move. */
  mergeUnless?: (pair: { from: string; into: string }) => RawBuilder<boolean>
}
