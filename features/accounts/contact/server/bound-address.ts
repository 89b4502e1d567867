import { createHmac } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { lowestFreeNumber } from '#base/server/database/lowest-free-number.ts'
import { isLoopback, networkOf } from '#base/server/http/rate-limit.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { hashOf as hashOfToken, secretOf } from '#base/server/security/secret.ts'
import { AddressTaken, kinds, type Kind } from '#contact/contract.ts'
import { subjectOf, type Address } from '#contact/server/address.ts'
import * as delivery from '#delivery/server/delivery.ts'
import * as setting from '#setting/server/setting.ts'

/** Binds an account to an address in place of its earlier one. The caller has verified a code that was sent there. */
export async function bind(tx: Db, memberId: string, { kind, address }: Address): Promise<void> {
  const { accountsPerPhone } = await setting.all(tx)
  const address_hash = await hashOf(tx, { kind, address })
  // Serializes concurrent bindings of one address.
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
    address: seal(sealContext(kind, memberId), address),
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
export async function canBindAnother(db: Db, address: Address): Promise<boolean> {
  const { accountsPerPhone } = await setting.all(db)
  const { count } = await db
    .selectFrom('contact')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', '=', address.kind)
    .where('address_hash', '=', await hashOf(db, address))
    .executeTakeFirstOrThrow()
  return count < (address.kind === 'phone' ? accountsPerPhone : 1)
}

/** The member bound to this address; of several that share a number, the first. */
export async function ownerOf(db: Db, address: Address): Promise<string | null> {
  const row = await db
    .selectFrom('contact')
    .select('member_id')
    .where('kind', '=', address.kind)
    .where('address_hash', '=', await hashOf(db, address))
    .orderBy('bound_at')
    .orderBy('slot')
    .limit(1)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** Those of some e-mail addresses that members have. */
export async function boundAmong(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const byHash = new Map<string, string>()
  for (const address of addresses) byHash.set((await hashOf(db, { kind: 'email', address })).toString('hex'), address)
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const rows = await db
    .selectFrom('contact')
    .select('address_hash')
    .where('kind', '=', 'email')
    .where('address_hash', '=', anyOf(hashes))
    .execute()
  return new Set(rows.flatMap(({ address_hash }) => byHash.get(address_hash.toString('hex')) ?? []))
}

/**
 * Names the browser of an owner of this address, in which they logged in before, or else their network, where they are logged in elsewhere;
 * null for a stranger.
 */
export async function ownersPlace(db: Db, address: Address, { csrf, ip }: Pick<ClientInfo, 'csrf' | 'ip'>): Promise<string | null> {
  const { rows } = await sql<{ isBrowser: boolean; isNetwork: boolean }>`
    select exists (select from known_browser as its where its.member_id = any(owners) and its.hash = ${hashOfToken(csrf)}) as "isBrowser",
      exists (select from session as its where its.member_id = any(owners) and its.ended_at is null
        and ${networkIn(sql`its.ip`)} = ${networkIn(sql`${ip}::inet`)}) as "isNetwork"
    from (select array_agg(member_id) as owners from contact where kind = ${address.kind} and address_hash = ${await hashOf(db, address)}) as its`.execute(
    db,
  )
  const { isBrowser = false, isNetwork = false } = rows[0] ?? {}
  if (csrf !== '' && isBrowser) return hashOfToken(csrf).toString('base64url')
  // On the machine itself all visitors may come through one reverse proxy.
  return isNetwork && !isLoopback(ip) ? networkOf(ip) : null
}

// As `networkOf` has it: an IPv6 /64 is one.
function networkIn(ip: RawBuilder<unknown>): RawBuilder<string> {
  return sql`network(set_masklen(${ip}, case family(${ip}) when 6 then 64 else 32 end))`
}

/** The addresses of an account that can be decrypted, always in one order, so that transactions which notify both do not deadlock. */
export async function addressesOf(db: Db, memberId: string): Promise<Address[]> {
  const rows = await db.selectFrom('contact').select(['kind', 'address']).where('member_id', '=', memberId).orderBy('kind').execute()
  return rows.flatMap(({ kind, address }) =>
    address ? [{ kind: kindOf(kind), address: unsealAddress(kindOf(kind), memberId, address) }] : [],
  )
}

export function unsealAddress(kind: Kind, memberId: string, box: Buffer): string {
  return unseal(sealContext(kind, memberId), box).toString()
}

/** The lookup key of an address: a keyed hash, which does not reveal it. */
export async function hashOf(db: Db, address: Address): Promise<Buffer> {
  return createHmac('sha256', await secretOf(db, 'contact'))
    .update(subjectOf(address))
    .digest()
}

function kindOf(kind: string): Kind {
  return kinds.find((one) => one === kind) ?? 'phone'
}

/** The encryption context of an account's address. */
export function sealContext(kind: Kind, memberId: string): SealContext {
  return { purpose: 'contact', row: `${kind} ${memberId}` }
}
