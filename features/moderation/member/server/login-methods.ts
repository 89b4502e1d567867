import * as audit from '#audit/server/audit.ts'
import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as identity from '#identity/server/identity.ts'
import { LastWay, WayGone } from '#member/contract.ts'
import { lockForLoginChange } from '#member/server/lock.ts'
import { notifyOwner } from '#member/server/notify-owner.ts'
import type { LoginMethods } from '#member/view-contract.ts'
import type { removePasskeyOfMember, unbindOfMember, unlinkOfMember } from '#member/methods-contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

/** A member's login methods, as far as staff see them. */
export async function of(db: Db, memberId: string): Promise<LoginMethods> {
  const [{ has_password }, contacts, linked, passkeys, codesSince, trustedDevices] = await Promise.all([
    db.selectFrom('member').select('has_password').where('id', '=', memberId).executeTakeFirstOrThrow(),
    contact.boundAddressesOf(db, memberId),
    identity.linkedIdentitiesOf(db, memberId),
    secondFactor.passkeys(db, memberId),
    secondFactor.enabledSince(db, memberId),
    secondFactor.countDevices(db, memberId),
  ])
  return {
    hasPassword: has_password,
    contacts: contacts.map((one) => ({ ...one, boundAt: one.boundAt.toISOString() })),
    identities: linked.map(({ provider, ...one }) => ({ ...one, provider: provider.name })),
    passkeys: passkeys.map(({ id, name, made_at, used_at }) => ({
      id,
      name,
      madeAt: made_at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    })),
    codesSince: codesSince?.toISOString() ?? null,
    trustedDevices,
  }
}

export async function unlink(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, identityId, reason }: ParsedInput<typeof unlinkOfMember>,
): Promise<void> {
  await lockForLoginChange(tx, by, memberId)
  const its = (await identity.linkedIdentitiesOf(tx, memberId)).find(({ id }) => id === identityId)
  if (!its || !(await identity.unlink(tx, memberId, identityId))) throw WayGone()
  await assertLoginMethodLeft(tx, memberId)
  const before = { identity: identityId, provider: its.provider.id }
  await audit.note(tx, by, client, { action: 'member.unlinkIdentity', about: `member ${memberId}`, reason, before })
  await notifyOwner(tx, memberId, { what: 'identity', its: its.provider.name })
}

export async function unbind(tx: Db, by: StaffActor, client: ClientInfo, form: ParsedInput<typeof unbindOfMember>): Promise<void> {
  const { memberId, kind, boundAt, reason } = form
  await lockForLoginChange(tx, by, memberId)
  const its = (await contact.boundAddressesOf(tx, memberId)).find((one) => one.kind === kind)
  // An address that was bound meanwhile is not the one that staff saw.
  if (its?.boundAt.getTime() !== Date.parse(boundAt)) throw WayGone()
  const before = await contact.addressesOf(tx, memberId)
  await contact.unbind(tx, memberId, kind)
  await assertLoginMethodLeft(tx, memberId)
  await audit.note(tx, by, client, { action: 'member.unbindContact', about: `member ${memberId}`, reason, before: { kind } })
  await notifyOwner(tx, memberId, { what: kind, its: { zh: its.shownAs, en: its.shownAs } }, before)
}

export async function removePasskey(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  form: ParsedInput<typeof removePasskeyOfMember>,
): Promise<void> {
  const { memberId, passkeyId, reason } = form
  await lockForLoginChange(tx, by, memberId)
  const its = (await secondFactor.passkeys(tx, memberId)).find(({ id }) => id === passkeyId)
  if (!its || !(await secondFactor.removePasskey(tx, memberId, passkeyId))) throw WayGone()
  await assertLoginMethodLeft(tx, memberId)
  await audit.note(tx, by, client, { action: 'member.removePasskey', about: `member ${memberId}`, reason, before: { passkey: passkeyId } })
  await notifyOwner(tx, memberId, { what: 'passkey', its: { zh: its.name, en: its.name } })
}

// Runs after the removal, with the member locked: of two methods that are removed at once one stays.
async function assertLoginMethodLeft(tx: Db, memberId: string): Promise<void> {
  if (await identity.hasLoginMethod(tx, memberId)) return
  if ((await secondFactor.passkeys(tx, memberId)).length === 0) throw LastWay()
}
