import type { Db } from '#base/server/database/database.ts'
import * as challenge from '#challenge/server/challenge.ts'
import { addressesOf } from '#contact/server/bound-address.ts'
import { subjectOf } from '#contact/server/address.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

/**
 * Revokes pending credentials for getting into an account or binding it to another address: tickets, proofs for a next step, and codes sent
 * to its addresses. After a change of password, address or question each of these starts anew.
 */
export async function revokePendingCredentials(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('recovery_ticket').where('member_id', '=', memberId).execute()
  await tx
    .deleteFrom('contact_proof')
    .where('session_id', 'in', (row) => row.selectFrom('session').select('id').where('member_id', '=', memberId))
    .execute()
  await secondFactor.endTickets(tx, memberId)
  for (const its of await addressesOf(tx, memberId)) await challenge.endCodes(tx, subjectOf(its))
}
