import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { myMeans } from '#hidden-part/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The funds and points with which a member opens parts. */
export async function funds(db: Db, member: Member): Promise<Output<typeof myMeans>> {
  const [{ points_earned }, accounts, { allowCash }] = await Promise.all([
    db.selectFrom('member').select('points_earned').where('id', '=', member.id).executeTakeFirstOrThrow(),
    wallet.accountsOf(db, member.id),
    setting.all(db),
  ])
  return {
    earned: points_earned,
    points: String(accounts.points.balance),
    cents: allowCash ? String(accounts.cny.balance) : null,
  }
}
