import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { hashOf } from '#base/server/security/secret.ts'

type Browser = Pick<ClientInfo, 'csrf'>

/** Records that an accepted login to this account came from this browser, by the cookie that every browser keeps for a year. */
export async function recordBrowser(tx: Db, memberId: string, { csrf }: Browser): Promise<void> {
  if (!csrf) return
  const at = sql<Date>`now()`
  await tx
    .insertInto('known_browser')
    .values({ member_id: memberId, hash: hashOf(csrf), at })
    .onConflict((conflict) => conflict.columns(['member_id', 'hash']).doUpdateSet({ at }))
    .execute()
}

/** Whether this browser logged in to this account before. */
export async function isKnown(db: Db, memberId: string | null, { csrf }: Browser): Promise<boolean> {
  const known = await db
    .selectFrom('known_browser')
    .select('member_id')
    .where('member_id', '=', memberId)
    .where('hash', '=', hashOf(csrf))
    .executeTakeFirst()
  return csrf !== '' && known !== undefined
}

/** After a change of password every browser counts as new. */
export async function clear(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('known_browser').where('member_id', '=', memberId).execute()
}
