import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { lowestFreeNumber } from '#base/server/database/lowest-free-number.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { hashOf as hashOfToken, secretOf } from '#base/server/security/secret.ts'
import { AddressTaken, kinds, type Kind } from '#contact/contract.ts'
import { subjectOf, type Address } from '#contact/server/address.ts'
import * as delivery from '#delivery/server/delivery.ts'
import * as setting from '#setting/server/setting.ts'

/** Binds an account to an address, in the place of the one it had. Whoever calls has seen a code that was sent there. */
export async function bind(tx: Db, memberId: string, { kind, address }: Address): Promise<void> {
  const { accountsPerPhone } = await setting.all(tx)
  const address_hash = await hashOf(tx, { kind, address })
  // Those who bind one address at once wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contact ${address_hash.toString('hex')}`}, 0))`.execute(tx)
  const others = await tx
    .selectFrom('contact')
    .select('slot')
    .where('kind', '=', kind)
    .where('address_hash', '=', address_hash)
    .where('member_id', '<>', memberId)
    .execute()
  const most = kind === 'phone' ? accountsPerPhone : 1
  const slot = lowestFreeNumber(
    others.map((one) => one.slot),
    most,
  )
  if (slot === null) throw AddressTaken()
  const row = {
    address: seal(placeOf(kind, memberId), address),
    address_hash,
    shown_as: delivery.masked(address),
    slot,
    bound_at: sql<Date>`now()`,
  }
  await tx
    .insertInto('contact')
    .values({ member_id: memberId, kind, ...row })
    .onConflict((conflict) => conflict.columns(['member_id', 'kind']).doUpdateSet(row))
    .execute()
}

/** Whether one more account may be bound to an address. */
export async function isFree(db: Db, its: Address): Promise<boolean> {
  const { accountsPerPhone } = await setting.all(db)
  const { count } = await db
    .selectFrom('contact')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', '=', its.kind)
    .where('address_hash', '=', await hashOf(db, its))
    .executeTakeFirstOrThrow()
  return count < (its.kind === 'phone' ? accountsPerPhone : 1)
}

/** Whose address this is; of several that share a number, who bound it first. */
export async function ownerOf(db: Db, its: Address): Promise<string | null> {
  const row = await db
    .selectFrom('contact')
    .select('member_id')
    .where('kind', '=', its.kind)
    .where('address_hash', '=', await hashOf(db, its))
    .orderBy('bound_at')
    .orderBy('slot')
    .limit(1)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** Whether somebody whose address this is logged in from this browser before. */
export async function isBrowserOfOwner(db: Db, its: Address, { csrf }: Pick<ClientInfo, 'csrf'>): Promise<boolean> {
  const row = await db
    .selectFrom('contact')
    .innerJoin('known_browser', 'known_browser.member_id', 'contact.member_id')
    .select('contact.member_id')
    .where('kind', '=', its.kind)
    .where('address_hash', '=', await hashOf(db, its))
    .where('known_browser.hash', '=', hashOfToken(csrf))
    .limit(1)
    .executeTakeFirst()
  return csrf !== '' && row !== undefined
}

/** The addresses of an account, those alone that can still be opened; always in one order, so that nobody waits for each other who tells both. */
export async function addressesOf(db: Db, memberId: string): Promise<Address[]> {
  const rows = await db.selectFrom('contact').select(['kind', 'address']).where('member_id', '=', memberId).orderBy('kind').execute()
  return rows.flatMap(({ kind, address }) => (address ? [{ kind: kindOf(kind), address: opened(kindOf(kind), memberId, address) }] : []))
}

export function opened(kind: Kind, memberId: string, box: Buffer): string {
  return unseal(placeOf(kind, memberId), box).toString()
}

/** By which an address is found; keyed, so that it does not tell which. */
export async function hashOf(db: Db, its: Address): Promise<Buffer> {
  return createHmac('sha256', await secretOf(db, 'contact'))
    .update(subjectOf(its))
    .digest()
}

function kindOf(kind: string): Kind {
  return kinds.find((one) => one === kind) ?? 'phone'
}

/** Where the address of an account is sealed. */
export function placeOf(kind: Kind, memberId: string): SealContext {
  return { purpose: 'contact', row: `${kind} ${memberId}` }
}
