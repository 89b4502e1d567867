import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { Claimed } from '#report/contract.ts'

const claimMinutes = 10

type Claim = { claimed_by: string | null; claimed_at: Date | null; claimed_account: string | null }

/** The staff account that holds the claim of a `report_case` or `removal`. */
export function claimant(table: 'report_case' | 'removal') {
  return sql<string | null>`(select account from staff where staff.id = ${sql.ref(`${table}.claimed_by`)})`.as('claimed_account')
}

/** A claim that is still valid. */
export function claimView({ claimed_by, claimed_at, claimed_account }: Claim, actor: StaffActor) {
  if (claimed_by === null || claimed_at === null) return null
  const until = new Date(claimed_at.getTime() + claimMinutes * 60_000)
  if (until.getTime() < Date.now()) return null
  return { staffId: claimed_by, account: claimed_account ?? '', until, isMine: claimed_by === actor.id }
}

/** The condition that a claim is still valid. */
export const isClaimed = sql<boolean>`claimed_at > now() - ${claimMinutes} * interval '1 minute'`

/** The columns of a released claim. */
export const releasedClaim = { claimed_by: null, claimed_at: null }

export function refuseIfClaimed(claim: Claim, actor: StaffActor): void {
  const existing = claimView(claim, actor)
  if (existing && !existing.isMine) throw Claimed({ account: existing.account })
}

/** The accounts of these staff, by id. */
export async function accountsOf(db: Db, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.flatMap((id) => id ?? []))]
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom('staff').select(['id', 'account']).where('id', '=', anyOf(known)).execute()
  return new Map(rows.map(({ id, account }) => [id, account]))
}
