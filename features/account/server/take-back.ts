import { PasswordCommon, TakeBackExpired } from '#account/contract.ts'
import { type takeBack } from '#account/recover-contract.ts'
import { isCommon } from '#account/server/common-password.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { mayRecover } from '#account/server/recover.ts'
import * as token from '#account/server/token.ts'
import type { Output, Taken } from '#base/contract.ts'
import { primaryOf, type Db } from '#base/server/database.ts'
import { hashPassword } from '#base/server/hash-password.ts'
import type { Before, From, Viewer } from '#base/server/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

/** Hashes the new password for whoever has a link that is good. */
export async function prepare({ db, input }: Before<Taken<typeof takeBack>, Viewer>): Promise<string> {
  const change = await contact.changeOf(primaryOf(db), input.link)
  if (!change) throw TakeBackExpired()
  const { account } = await db.selectFrom('member').select('account').where('id', '=', change.memberId).executeTakeFirstOrThrow()
  if (await isCommon(input.password, account)) throw PasswordCommon()
  return hashPassword(input.password)
}

/**
 * Gives an account back to whoever was told of a change by a link: ends every session, sets another password, and undoes what was changed since then of
 * all the ways in. Tells the addresses from before and those that were bound meanwhile, last of all.
 */
export async function giveBack(tx: Db, link: string, hashed: string, from: From): Promise<Output<typeof takeBack>> {
  const before = await contact.changeOf(tx, link)
  if (!before) throw TakeBackExpired()
  const { memberId, at } = before
  await mayRecover(tx, memberId)
  // Whoever came first with the same link has taken it away by now.
  const change = await contact.changeOf(tx, link)
  if (!change) throw TakeBackExpired()
  const { changed, told, missing } = await contact.putBack(tx, change)
  const { account } = await tx
    .updateTable('member')
    .set({ password_hash: hashed, ...(changed.has('hint') && { hint_question: null, hint_answer_hash: null }) })
    .where('id', '=', memberId)
    .returning('account')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('member_identity').where('member_id', '=', memberId).where('linked_at', '>=', at).execute()
  await secondFactor.removeSince(tx, memberId, at)
  // Who takes an account back does not lose it a week later, because somebody else wanted it erased.
  await tx
    .deleteFrom('member_leaving')
    .where('member_id', '=', memberId)
    .where('asked_at', '>=', at)
    .where('begun_at', 'is', null)
    .execute()
  await token.endAll(tx, memberId, 'password changed')
  await knownBrowser.remember(tx, memberId, from)
  for (const its of told) await contact.tellIfRoom(tx, memberId, its, 'takenBack')
  return { account, missing: missing.map(({ kind }) => kind) }
}
