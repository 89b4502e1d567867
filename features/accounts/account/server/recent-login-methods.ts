import { sql } from 'kysely'
import type { RemovedView } from '#account/recover-contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Language } from '#base/server/words.ts'
import type * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

/**
 * How far before a change the passkeys and linked sites count as possibly the thief's. An owner can add a removed one again. Second factors
 * keep others out, so only those are removed that the link of their own notification could still have turned off.
 */
const daysBefore = 30

/**
 * Removes the login methods that were added since a change or shortly before, and pending requests of that time. Returns what was removed.
 */
export async function removeRecentMethods(tx: Db, { memberId, at, since }: contact.Change, language: Language): Promise<RemovedView[]> {
  const lately = new Date(at.getTime() - daysBefore * 86_400_000)
  // An account that was taken back is not erased a week later on a thief's request.
  await tx
    .deleteFrom('account_deletion')
    .where('member_id', '=', memberId)
    .where('asked_at', '>=', since)
    .where('begun_at', 'is', null)
    .execute()
  const identities = await unlinkRecentSites(tx, memberId, lately)
  return [
    ...identities.map(({ zh, en }) => ({ what: 'identity', name: language === 'en' ? en : zh }) as const),
    ...(await secondFactor.removeSince(tx, memberId, { codes: since, passkeys: lately })),
  ]
}

// Keeps the site by which the member registered.
async function unlinkRecentSites(tx: Db, memberId: string, lately: Date): Promise<{ zh: string; en: string }[]> {
  const { rows } = await sql<{ zh: string; en: string }>`
    delete from member_identity as its using member, identity_provider as provider
    where its.member_id = ${memberId} and member.id = its.member_id and provider.id = its.provider_id
      and linked_at >= ${lately} and linked_at > joined_at
    returning name_zh as zh, name_en as en`.execute(tx)
  return rows
}
