import type { Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { kinds, type Kind } from '#contact/contract.ts'
import { addressesOf, bind, hashOf } from '#contact/server/bound-address.ts'
import type { Address } from '#contact/server/address.ts'
import { revokePendingCredentials } from '#contact/server/pending-credentials.ts'
import * as delivery from '#delivery/server/delivery.ts'

export { addressesOf, bind, boundAmong, canBindAnother, unsealAddress, ownerOf } from '#contact/server/bound-address.ts'
export {
  requestedAddress,
  parseAddress,
  verifiedAddress,
  channels,
  verifyCode,
  assertSendable,
  sendableKinds,
  sendCode,
  spendCaptcha,
} from '#contact/server/code.ts'
export type { Address } from '#contact/server/address.ts'
export { revokePendingCredentials } from '#contact/server/pending-credentials.ts'
export { countries, normalize, type TypedAddress } from '#contact/server/normalize.ts'
export { emailOwner, notifyAllAddresses, notifyIfQuotaAllows } from '#contact/server/security-alerts.ts'
export { changeByLink, recordChange, restoreAddresses, type Change } from '#contact/server/security-change.ts'

/** The name of this feature's signing key; created when the program first starts. */
export const secrets = ['contact'] as const

/** The addresses as their owner sees them, masked. */
export async function maskedAddressesOf(db: Db, memberId: string): Promise<Record<Kind, string | null>> {
  const rows = await db.selectFrom('contact').select(['kind', 'shown_as']).where('member_id', '=', memberId).execute()
  const maskedOf = (kind: Kind) => rows.find((row) => row.kind === kind)?.shown_as ?? null
  return { phone: maskedOf('phone'), email: maskedOf('email') }
}

/** The same for staff, each with when it was bound. */
export async function boundAddressesOf(db: Db, memberId: string): Promise<{ kind: Kind; shownAs: string; boundAt: Date }[]> {
  const rows = await db.selectFrom('contact').select(['kind', 'shown_as', 'bound_at']).where('member_id', '=', memberId).execute()
  return kinds.flatMap((kind) =>
    rows.filter((row) => row.kind === kind).map(({ shown_as, bound_at }) => ({ kind, shownAs: shown_as, boundAt: bound_at })),
  )
}

/** Frees one address of an account. The member must be locked. */
export async function unbind(tx: Db, memberId: string, kind: Kind): Promise<void> {
  await revokePendingCredentials(tx, memberId)
  await tx.deleteFrom('contact').where('member_id', '=', memberId).where('kind', '=', kind).execute()
}

/** Of two accounts that become one, the other's own addresses stay, and it gets those it had not. */
export async function membersMerging(tx: Db, { from, into }: MergedMembers): Promise<void> {
  const own = new Set((await tx.selectFrom('contact').select('kind').where('member_id', '=', into).execute()).map(({ kind }) => kind))
  const addresses = await addressesOf(tx, from)
  await remove(tx, from)
  for (const address of addresses) if (!own.has(address.kind)) await bind(tx, into, address)
}

/** Frees the addresses of a closed account. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('contact').where('member_id', '=', memberId).execute()
  await tx.deleteFrom('take_back').where('member_id', '=', memberId).execute()
}

/** With a lost key, addresses can still be found by their hash, but nothing can be sent to them. */
export async function purgeUndecryptable(tx: Db): Promise<void> {
  await tx.updateTable('contact').set({ address: null }).execute()
  await tx.updateTable('take_back').set({ former: null }).execute()
}

/** An address masked for others. */
export function masked({ address }: Address): string {
  return delivery.masked(address)
}

/** The rate limit key of an address, which does not reveal it. */
export async function limitKeyOf(db: Db, address: Address): Promise<string> {
  return `${address.kind} ${(await hashOf(db, address)).toString('base64url')}`
}
