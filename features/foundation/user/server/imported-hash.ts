import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** Whether any member still has the hash of another program, because they have not typed their password here. */
export async function hasImportedHashes(db: Db): Promise<boolean> {
  const imported = sql<boolean>`exists (select from member where password_hash like 'imported:%')`
  const { rows } = await sql<{ has: boolean }>`select ${imported} as has`.execute(db)
  return rows[0]?.has ?? false
}

/** Replaces an imported hash by ours, unless the password changed meanwhile. */
export async function replaceHash(tx: Db, memberId: string, imported: string, renewed: string): Promise<void> {
  await tx.updateTable('member').set({ password_hash: renewed }).where('id', '=', memberId).where('password_hash', '=', imported).execute()
}
