import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { tables } from '#wallet/server/pieces.ts'
import { BooksFrozenAlready, BooksNotFrozen } from '#wallet/contract.ts'

/** Whether the ledger is frozen. Moves are then postponed until the thaw. */
export async function isFrozen(db: Db): Promise<boolean> {
  const { rows } = await sql`select from ledger.freezing where thawed_at is null`.execute(db)
  return rows.length > 0
}

/** Stops all writes to the ledger. Returns false if it was frozen already. */
export async function freeze(tx: Db, reason: string, staffId: string | null): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`select ledger.freeze(${reason}, ${staffId}) as "isNew"`.execute(tx)
  return rows[0]?.isNew ?? false
}

export async function freezeManually(tx: Db, by: StaffActor, client: ClientInfo, reason: string): Promise<void> {
  if (!(await freeze(tx, reason, by.id))) throw BooksFrozenAlready()
  await audit.note(tx, by, client, { action: 'books.freeze', reason })
}

export async function thaw(tx: Db, by: StaffActor, client: ClientInfo, reason: string): Promise<void> {
  const { rows } = await sql<{ isDone: boolean }>`select ledger.thaw(${reason}, ${by.id}) as "isDone"`.execute(tx)
  if (!rows[0]?.isDone) throw BooksNotFrozen()
  // A full round follows: a ledger that is still wrong freezes again.
  await tx.insertInto('books_check').values({ is_full: true, at_table: tables[0], at_id: '0' }).execute()
  await audit.note(tx, by, client, { action: 'books.thaw', reason })
}
