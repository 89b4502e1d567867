import * as account from '#account/server/account.ts'
import type { addPasskey, beginPasskey, namePasskey } from '#account-security/contract.ts'
import { OfStaff, TooManyPasskeys } from '#account-security/contract.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import { LastWayIn } from '#identity/contract.ts'
import * as identity from '#identity/server/identity.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const maxPasskeys = 20

export async function begin(tx: Db, member: Member, client: ClientInfo): Promise<Output<typeof beginPasskey>> {
  if (member.isOfficial) throw OfStaff()
  await secondFactor.requireRecentProof(tx, member)
  await assertBelowLimit(tx, member)
  const [{ title }, { account }] = [await setting.all(tx), await user.systemUser(tx, member.id)]
  return secondFactor.requestPasskeyRegistration(tx, member.id, { siteName: title, account }, client)
}

export async function prepare({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof addPasskey>, Member>): Promise<secondFactor.NewPasskey> {
  await secondFactor.requireRecentProof(db, viewer)
  return secondFactor.verifyPasskeyRegistration(inSeparateTransaction, viewer.id, input.made, client)
}

export async function add(tx: Db, member: Member, newPasskey: secondFactor.NewPasskey, name: string): Promise<void> {
  await account.holdSession(tx, member)
  await lock(tx, member)
  await assertBelowLimit(tx, member)
  await secondFactor.addPasskey(tx, member.id, newPasskey, name)
  await contact.notifyAllAddresses(tx, member.id, 'passkeyAdded', { values: { name } })
}

export async function rename(tx: Db, { id }: Member, { passkeyId, name }: ParsedInput<typeof namePasskey>): Promise<void> {
  if (!(await secondFactor.renamePasskey(tx, id, passkeyId, name))) throw Missing()
}

/** Locks the member, so that of two login methods that are removed at once one stays. */
export async function remove(tx: Db, member: Member, passkeyId: string): Promise<void> {
  await lock(tx, member)
  const all = await secondFactor.passkeys(tx, member.id)
  const its = all.find(({ id }) => id === passkeyId)
  if (!its) throw Missing()
  if (all.length === 1 && !(await identity.hasLoginMethod(tx, member.id))) throw LastWayIn()
  await secondFactor.requireRecentProof(tx, member)
  await secondFactor.removePasskey(tx, member.id, passkeyId)
  await contact.notifyAllAddresses(tx, member.id, 'passkeyRemoved', { values: { name: its.name } })
}

async function assertBelowLimit(tx: Db, { id }: Member): Promise<void> {
  if ((await secondFactor.passkeys(tx, id)).length >= maxPasskeys) throw TooManyPasskeys()
}

async function lock(tx: Db, { id }: Member): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}
