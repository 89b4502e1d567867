import type { Db } from '#base/server/database/database.ts'
import { keyedHash } from '#base/server/security/sealing.ts'

/** Records that a mail server reported this address as unknown. */
export async function markUndeliverable(tx: Db, to: string): Promise<void> {
  await tx
    .insertInto('undeliverable_address')
    .values({ hash: hashOf(to) })
    .onConflict((there) => there.doNothing())
    .execute()
}

/** Whether only codes are sent to an address, because a server refused it permanently. */
export async function isUndeliverable(db: Db, to: string): Promise<boolean> {
  return (await db.selectFrom('undeliverable_address').select('since').where('hash', '=', hashOf(to)).executeTakeFirst()) !== undefined
}

/** Records that a message to the address was read. */
export async function markDeliverable(tx: Db, to: string): Promise<void> {
  await tx.deleteFrom('undeliverable_address').where('hash', '=', hashOf(to)).execute()
}

function hashOf(to: string): Buffer {
  return keyedHash('unreached', to)
}
