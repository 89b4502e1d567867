import type { ArchivePart } from '#base/server/archive-part.ts'
import type { Db } from '#base/server/database/database.ts'
import { storedIdentityOf } from '#real-name/server/real-name.ts'

export const archive: readonly ArchivePart[] = [{ name: 'real-name', by: ['real_name.member_id'], all: realNameOf }]

/** The number itself stays out of the archive: a device found unlocked would give it away. */
async function realNameOf(db: Db, memberId: string): Promise<unknown> {
  const its = await storedIdentityOf(db, memberId)
  return its && { document: its.document, checkedAt: its.checkedAt, isMinor: its.isMinor, isWithdrawn: its.number === null }
}
