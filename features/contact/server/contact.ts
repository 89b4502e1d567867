import type { Db } from '#base/server/database/database.ts'
import { kinds, type Kind } from '#contact/contract.ts'
import { addressesOf, bind, hashOf } from '#contact/server/bound.ts'
import type { Address } from '#contact/server/address.ts'
import { endHalfDone } from '#contact/server/half-done.ts'
import * as delivery from '#delivery/server/delivery.ts'

export { addressesOf, bind, isFree, opened, ownerOf } from '#contact/server/bound.ts'
export {
  addressAsked,
  addressNamed,
  addressShown,
  channels,
  mustKnowCode,
  mustSend,
  sendable,
  sendCode,
  spendCaptcha,
} from '#contact/server/code.ts'
export type { Address } from '#contact/server/address.ts'
export { endHalfDone } from '#contact/server/half-done.ts'
export { countries, spelled, type Typed } from '#contact/server/spelling.ts'
export { mailOwner, tellEverywhere, tellIfRoom } from '#contact/server/telling.ts'
export { changeOf, noteChange, putBack, type Change } from '#contact/server/take-back.ts'

/** The name of this feature's signing key; created when the program first starts. */
export const secrets = ['contact'] as const

/** The addresses as their owner sees them, masked. */
export async function shownOf(db: Db, memberId: string): Promise<Record<Kind, string | null>> {
  const rows = await db.selectFrom('contact').select(['kind', 'shown_as']).where('member_id', '=', memberId).execute()
  const shown = (kind: Kind) => rows.find((row) => row.kind === kind)?.shown_as ?? null
  return { phone: shown('phone'), email: shown('email') }
}

/** The same for staff, each with when it was bound. */
export async function boundOf(db: Db, memberId: string): Promise<{ kind: Kind; shownAs: string; boundAt: Date }[]> {
  const rows = await db.selectFrom('contact').select(['kind', 'shown_as', 'bound_at']).where('member_id', '=', memberId).execute()
  return kinds.flatMap((kind) =>
    rows.filter((row) => row.kind === kind).map(({ shown_as, bound_at }) => ({ kind, shownAs: shown_as, boundAt: bound_at })),
  )
}

/** Frees one address of an account. The member must be locked. */
export async function unbind(tx: Db, memberId: string, kind: Kind): Promise<void> {
  await endHalfDone(tx, memberId)
  await tx.deleteFrom('contact').where('member_id', '=', memberId).where('kind', '=', kind).execute()
}

/** Of two accounts that become one, the other's own addresses stay, and it gets those it had not. */
export async function membersMerging(tx: Db, { from, into }: { from: string; into: string }): Promise<void> {
  const own = new Set((await tx.selectFrom('contact').select('kind').where('member_id', '=', into).execute()).map(({ kind }) => kind))
  const addresses = await addressesOf(tx, from)
  await remove(tx, from)
  for (const its of addresses) if (!own.has(its.kind)) await bind(tx, into, its)
}

/** Frees the addresses of a closed account. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('contact').where('member_id', '=', memberId).execute()
  await tx.deleteFrom('take_back').where('member_id', '=', memberId).execute()
}

/** With a lost key, addresses can still be found by their hash, but nothing can be sent to them. */
export async function forgetSealed(tx: Db): Promise<void> {
  await tx.updateTable('contact').set({ address: null }).execute()
  await tx.updateTable('take_back').set({ former: null }).execute()
}

/** An address masked for others. */
export function masked({ address }: Address): string {
  return delivery.masked(address)
}

/** The rate limit key of an address, which does not reveal it. */
export async function keyOf(db: Db, its: Address): Promise<string> {
  return `${its.kind} ${(await hashOf(db, its)).toString('base64url')}`
}
