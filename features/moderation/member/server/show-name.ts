import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { NothingChecked } from '#member/contract.ts'
import type { showRealName } from '#member/name-contract.ts'
import * as notification from '#notification/server/notification.ts'
import * as realName from '#real-name/server/real-name.ts'

/**
 * A member's verified identity, for staff who give a reason. Each access is logged and the member notified; the log never holds the
 * identity.
 */
export async function showName(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, reason }: ParsedInput<typeof showRealName>,
): Promise<Output<typeof showRealName>> {
  const member = await tx.selectFrom('member').select('id').where('id', '=', memberId).executeTakeFirst()
  if (!member) throw Missing()
  const known = await realName.identityOf(tx, memberId)
  if (!known) throw NothingChecked()
  await notification.notify(tx, memberId, { kind: 'realNameRead' })
  await audit.note(tx, by, client, { action: 'realName.read', about: `member ${memberId}`, reason })
  const { document, name, number, birthday } = known
  return { document, name, number, birthday }
}
