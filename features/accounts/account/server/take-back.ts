import { PasswordCommon, TakeBackExpired } from '#account/contract.ts'
import type { RemovedView, takeBack } from '#account/recover-contract.ts'
import { isCommon } from '#account/server/common-password.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { assertCanReset } from '#account/server/recover.ts'
import { removeRecentMethods } from '#account/server/recent-login-methods.ts'
import { lastingCredentials } from '#account/server/credentials.ts'
import { endAllSessions } from '#account/server/end-sessions.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import { say, type Language } from '#base/server/words.ts'
import * as contact from '#contact/server/contact.ts'

/** Hashes the new password for the holder of a valid link. */
export async function prepare({ db, input }: PrepareContext<ParsedInput<typeof takeBack>, Viewer>): Promise<string> {
  const change = await contact.changeByLink(primary(db), input.link)
  if (!change) throw TakeBackExpired()
  const { account } = await db.selectFrom('member').select('account').where('id', '=', change.memberId).executeTakeFirstOrThrow()
  if (await isCommon(input.password, account)) throw PasswordCommon()
  return hashPassword(input.password)
}

/**
 * Gives an account back to the holder of a notification's link: ends every session, sets another password, and undoes the changes to login
 * methods since that change or shortly before. Notifies the earlier addresses and those bound meanwhile. Call it last in a transaction.
 */
export async function restoreAccount(tx: Db, link: string, hashed: string, client: ClientInfo): Promise<Output<typeof takeBack>> {
  const before = await contact.changeByLink(tx, link)
  if (!before) throw TakeBackExpired()
  const { memberId } = before
  await assertCanReset(tx, memberId)
  // A concurrent request with the same link has consumed it by now.
  const change = await contact.changeByLink(tx, link)
  if (!change) throw TakeBackExpired()
  const { changed, current, removed: removedAddresses, missing } = await contact.restoreAddresses(tx, change)
  const { account, language: reads } = await tx
    .updateTable('member')
    .set({ password_hash: hashed, ...(changed.has('hint') && { hint_question: null, hint_answer_hash: null }) })
    .where('id', '=', memberId)
    .returning(['account', 'language'])
    .executeTakeFirstOrThrow()
  const language = reads === 'en' ? 'en' : 'zh'
  const programs = await lastingCredentials(tx, memberId)
  const removed: RemovedView[] = [
    ...removedAddresses.map((its) => ({ what: its.kind, name: contact.masked(its) })),
    ...(await removeRecentMethods(tx, change, language)),
    ...programs.map(({ kind: what, name }) => ({ what, name })),
    ...(changed.has('hint') ? [{ what: 'hint', name: '' } as const] : []),
  ]
  await endAllSessions(tx, memberId, 'password changed')
  await knownBrowser.recordBrowser(tx, memberId, client)
  for (const its of current)
    await contact.notifyIfQuotaAllows(tx, memberId, its, 'takenBack', { values: { removed: namesOf(removed, language) } })
  for (const its of removedAddresses) await contact.notifyIfQuotaAllows(tx, memberId, its, 'takenBack', { values: { removed: 'none' } })
  return { account, missing: missing.map(({ kind }) => kind), removed }
}

function namesOf(removed: readonly RemovedView[], language: Language): string {
  if (removed.length === 0) return 'none'
  return new Intl.ListFormat(language).format(removed.map((one) => say(language, 'account.removedOne', one)))
}
