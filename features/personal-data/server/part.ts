import type { RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** One file of the archive. */
export type Part = {
  /** Without its ending. */
  name: string
  /** Which columns that name a member it is found by. */
  by: readonly string[]
} & ({ rows(memberId: string): RawBuilder<unknown> } | { all(db: Db, memberId: string): Promise<unknown> })
