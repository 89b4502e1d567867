import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { PasswordCommon } from '#account/contract.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db, isDuplicate } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import {
  HasPassword,
  IdentityOfAnother,
  LastWayIn,
  LinkedAlready,
  type registerByTicket,
  type setPassword,
  type signInMethods,
} from '#identity/contract.ts'
import { usableProviders, viewOf } from '#identity/server/provider-queries.ts'
import type { Person } from '#identity/server/providers/provider.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as ticket from '#identity/server/ticket.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

/** The member linked to this person, or null. Stores the provider's lasting name for them. */
export async function ownerOf(tx: Db, providerId: string, { subject, formerSubject, name }: Person): Promise<string | null> {
  const subjects = formerSubject === undefined ? [subject] : [subject, formerSubject]
  const rows = await tx
    .selectFrom('member_identity')
    .select(['id', 'member_id', 'subject'])
    .where('provider_id', '=', providerId)
    .where('subject', '=', anyOf(subjects))
    .forUpdate()
    .execute()
  const row = rows.find((one) => one.subject === subject) ?? rows[0]
  if (!row) return null
  await tx
    .updateTable('member_identity')
    .set({ subject, name, used_at: sql`now()` })
    .where('id', '=', row.id)
    .execute()
  return row.member_id
}

/** Links this person to this account. */
export async function link(tx: Db, memberId: string, providerId: string, person: Person): Promise<void> {
  const owner = await ownerOf(tx, providerId, person)
  if (owner === memberId) return
  if (owner !== null) throw IdentityOfAnother()
  await tx
    .insertInto('member_identity')
    .values({ provider_id: providerId, subject: person.subject, member_id: memberId, name: person.name })
    .execute()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'member_identity_provider_id_member_id_key')) throw LinkedAlready()
      throw isDuplicate(error) ? IdentityOfAnother() : error
    })
}

export async function linkByTicket(tx: Db, member: Member, ticketToken: string, client: ClientInfo): Promise<void> {
  await secondFactor.requireRecentProof(tx, member)
  await account.holdSession(tx, member)
  const { providerId, person } = await ticket.consume(tx, ticketToken, client)
  await linkAndNotify(tx, member.id, providerId, person)
}

/** The same for an existing account, whose owner is notified. */
export async function linkAndNotify(tx: Db, memberId: string, providerId: string, person: Person): Promise<void> {
  await link(tx, memberId, providerId, person)
  const { language } = await tx.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  const { zh, en } = await tx
    .selectFrom('identity_provider')
    .select(['name_zh as zh', 'name_en as en'])
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow()
  await contact.notifyAllAddresses(tx, memberId, 'identityLinked', { values: { name: language === 'en' ? en : zh } })
}

/** Makes an account whose only login method is this person's identity. */
export async function register(
  tx: Db,
  form: ParsedInput<typeof registerByTicket>,
  client: ClientInfo,
): Promise<Output<typeof registerByTicket>> {
  const { providerId, person } = await ticket.consume(tx, form.ticket, client)
  const memberId = await account.addWithoutPassword(tx, form, client)
  await link(tx, memberId, providerId, person)
  return account.finishLogin(tx, memberId, client)
}

export async function methods(db: Db, member: Member, client: ClientInfo): Promise<Output<typeof signInMethods>> {
  const [{ has_password }, linked, open, all, bound, passkeys, settings] = await Promise.all([
    db.selectFrom('member').select('has_password').where('id', '=', member.id).executeTakeFirstOrThrow(),
    linkedIdentitiesOf(db, member.id),
    usableIdentitiesOf(db, member.id),
    usableProviders(db, client),
    contact.maskedAddressesOf(db, member.id),
    secondFactor.passkeys(db, member.id),
    setting.all(db),
  ])
  const isElseOpen = has_password || passkeys.length > 0
  return {
    hasPassword: has_password,
    ...bound,
    codes: contact.sendableKinds(settings),
    linked: linked.map((one) => ({ ...one, isLastWayIn: !isElseOpen && open.every((id) => id === one.id) })),
    others: all.filter(({ id }) => !linked.some(({ provider }) => provider.id === id)),
  }
}

type LinkedIdentity = Omit<Output<typeof signInMethods>['linked'][number], 'isLastWayIn'>

export async function linkedIdentitiesOf(db: Db, memberId: string): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom('member_identity')
    .innerJoin('identity_provider', 'identity_provider.id', 'provider_id')
    .select(['member_identity.id', 'provider_id', 'name_zh', 'name_en', 'name', 'linked_at', 'used_at'])
    .where('member_id', '=', memberId)
    .orderBy('member_identity.id')
    .execute()
  return rows.map(({ id, provider_id, name, linked_at, used_at, ...row }) => ({
    id,
    provider: viewOf({ ...row, id: provider_id }),
    name,
    linkedAt: linked_at.toISOString(),
    usedAt: used_at.toISOString(),
  }))
}

/** The identities that can log in now: not those at a disabled provider. */
async function usableIdentitiesOf(db: Db, memberId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member_identity')
    .innerJoin('identity_provider', 'identity_provider.id', 'provider_id')
    .select('member_identity.id')
    .where('member_id', '=', memberId)
    .where('is_enabled', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks the member, so that of two login methods that are removed at once one stays. */
export async function unlink(tx: Db, member: Member, identityId: string): Promise<void> {
  const memberId = member.id
  const { has_password } = await lockMember(tx, memberId)
  if (!(await linkedIdentitiesOf(tx, memberId)).some(({ id }) => id === identityId)) throw Missing()
  const isWayLeft = has_password || (await usableIdentitiesOf(tx, memberId)).some((id) => id !== identityId)
  if (!isWayLeft && (await secondFactor.passkeys(tx, memberId)).length === 0) throw LastWayIn()
  await secondFactor.requireRecentProof(tx, member)
  await tx.deleteFrom('member_identity').where('id', '=', identityId).execute()
}

export async function preparePassword({ db, viewer, input }: PrepareContext<ParsedInput<typeof setPassword>, Member>): Promise<string> {
  const { account: name } = await user.systemUser(db, viewer.id)
  if (await account.isCommon(input.password, name)) throw PasswordCommon()
  return account.hashPassword(input.password)
}

/** An unlocked device is not enough to set a password. The owner is notified, last of all. */
export async function savePassword(tx: Db, member: Member, hashed: string): Promise<void> {
  const { id } = member
  const { has_password } = await lockMember(tx, id)
  if (has_password) throw HasPassword()
  await secondFactor.requireRecentProof(tx, member)
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', id).execute()
  await contact.revokePendingCredentials(tx, id)
  await contact.recordChange(tx, id, 'password', await contact.addressesOf(tx, id))
}

function lockMember(tx: Db, memberId: string): Promise<{ has_password: boolean }> {
  return tx.selectFrom('member').select('has_password').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirstOrThrow()
}
