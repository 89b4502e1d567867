import * as contract from '#account-security/contract.ts'
import * as account from '#account/server/account.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { withRegions } from '#base/server/region.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

export async function show(db: Db, { id, isOfficial }: Member, client: ClientInfo): Promise<Output<typeof contract.security>> {
  const [since, codesLeft, devices, keys] = await Promise.all([
    secondFactor.enabledSince(db, id),
    secondFactor.codesLeft(db, id),
    secondFactor.devices(db, id, client),
    secondFactor.passkeys(db, id),
  ])
  const views = devices.map((row) => ({
    id: row.id,
    ip: row.ip,
    device: row.user_agent,
    trustedAt: row.trusted_at.toISOString(),
    usedAt: row.used_at.toISOString(),
    isThis: row.isThis,
  }))
  const passkeys = keys.map((one) => ({
    id: one.id,
    name: one.name,
    madeAt: one.made_at.toISOString(),
    usedAt: one.used_at?.toISOString() ?? null,
  }))
  return { onSince: since?.toISOString() ?? null, codesLeft, isStaff: isOfficial ?? false, passkeys, devices: await withRegions(views) }
}

export async function begin(tx: Db, member: Member): Promise<Output<typeof contract.beginSecondFactor>> {
  // Staff follow the requirements of the administration, whose password they share.
  if (member.isOfficial) throw contract.OfStaff()
  await lock(tx, member)
  await secondFactor.requireRecentProof(tx, member)
  const [{ title }, { account: label }] = [await setting.all(tx), await user.systemUser(tx, member.id)]
  const begun = await secondFactor.beginSetup(tx, member.id, { issuer: title, label })
  if (!begun) throw contract.OnAlready()
  return begun
}

/** Consumes the code in a transaction of its own, so that it works once even where the rest fails. */
export async function prepareCode({
  db,
  viewer,
  input,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof contract.confirmSecondFactor>, Member>): Promise<void> {
  await secondFactor.requireRecentProof(db, viewer)
  if (!(await secondFactor.isSetupPending(db, viewer.id))) throw contract.NotBegun()
  await secondFactor.verifyCode(inSeparateTransaction, viewer.id, input.code)
}

export async function confirm(tx: Db, member: Member, endsOthers: boolean): Promise<Output<typeof contract.confirmSecondFactor>> {
  await lock(tx, member)
  const recoveryCodes = await secondFactor.confirmSetup(tx, member.id)
  if (!recoveryCodes) throw contract.NotBegun()
  await secondFactor.recordProof(tx, member)
  if (endsOthers) await account.endAllSessions(tx, member.id, 'ended by member', member.sessionId)
  // An owner without the app cannot log in to turn it off, whatever password they set.
  await contact.recordChange(tx, member.id, 'secondFactor', await contact.addressesOf(tx, member.id))
  return { recoveryCodes }
}

export async function renewCodes(tx: Db, member: Member): Promise<Output<typeof contract.renewRecoveryCodes>> {
  await lock(tx, member)
  await secondFactor.requireRecentProof(tx, member)
  if (!(await secondFactor.enabledSince(tx, member.id))) throw contract.NotOn()
  const recoveryCodes = await secondFactor.renewCodes(tx, member.id)
  await contact.notifyAllAddresses(tx, member.id, 'recoveryCodesRenewed')
  return { recoveryCodes }
}

export async function remove(tx: Db, member: Member): Promise<void> {
  await lock(tx, member)
  await secondFactor.requireRecentProof(tx, member)
  if (!(await secondFactor.turnOff(tx, member.id))) throw contract.NotOn()
  await contact.notifyAllAddresses(tx, member.id, 'secondFactorOff')
}

/** Forgets one of the member's own trusted devices; another member's device is missing. */
export async function endDevice(tx: Db, { id }: Member, deviceId: string): Promise<void> {
  if (!(await secondFactor.forgetDevice(tx, id, deviceId))) throw Missing()
}

async function lock(tx: Db, { id }: Member): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}
