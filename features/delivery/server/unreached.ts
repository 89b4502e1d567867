import type { Db } from '#base/server/database/database.ts'
import { keyedHash } from '#base/server/security/sealing.ts'

/** A mail server said that nobody has this address. */
export async function note(tx: Db, to: string): Promise<void> {
  await tx
    .insertInto('unreached')
    .values({ hash: hashOf(to) })
    .onConflict((there) => there.doNothing())
    .execute()
}

/** Whether nothing but codes goes to an address, because it was refused for good. */
export async function isUnreached(db: Db, to: string): Promise<boolean> {
  return (await db.selectFrom('unreached').select('since').where('hash', '=', hashOf(to)).executeTakeFirst()) !== undefined
}

/** Somebody read what was sent there. */
export async function reached(tx: Db, to: string): Promise<void> {
  await tx.deleteFrom('unreached').where('hash', '=', hashOf(to)).execute()
}

function hashOf(to: string): Buffer {
  return keyedHash('unreached', to)
}
