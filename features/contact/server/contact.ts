import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { freeSlot } from '#base/server/free-slot.ts'
import { seal, unseal, type Place } from '#base/server/sealing.ts'
import { secretOf } from '#base/server/secret.ts'
import { AddressTaken, kinds, type Kind } from '#contact/contract.ts'
import { CountryNotServed, TooManySent } from '#delivery/contract.ts'
import { channels, subjectOf, type Address } from '#contact/server/code.ts'
import * as delivery from '#delivery/server/delivery.ts'
import * as setting from '#setting/server/setting.ts'

export {
  addressAsked,
  addressNamed,
  addressShown,
  channels,
  mustKnowCode,
  sendCode,
  spendCaptcha,
  type Address,
} from '#contact/server/code.ts'
export { countries, spelled, type Typed } from '#contact/server/spelling.ts'

/** The key this feature signs with; made at the start of the program. */
export const secrets = ['contact'] as const

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
  const slot = freeSlot(
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
    .orderBy('slot')
    .limit(1)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** The addresses of an account, those alone that can still be opened. */
export async function addressesOf(db: Db, memberId: string): Promise<Address[]> {
  const rows = await db.selectFrom('contact').select(['kind', 'address']).where('member_id', '=', memberId).execute()
  return rows.flatMap(({ kind, address }) => (address ? [{ kind: kindOf(kind), address: opened(kindOf(kind), memberId, address) }] : []))
}

/** The same as their owner sees them, with stars. */
export async function shownOf(db: Db, memberId: string): Promise<Record<Kind, string | null>> {
  const rows = await db.selectFrom('contact').select(['kind', 'shown_as']).where('member_id', '=', memberId).execute()
  const shown = (kind: Kind) => rows.find((row) => row.kind === kind)?.shown_as ?? null
  return { phone: shown('phone'), email: shown('email') }
}

type Told =
  | 'numberChanged'
  | 'emailChanged'
  | 'passwordChanged'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'passkeyAdded'
  | 'newLogin'
  | 'dataReady'
type Values = Readonly<Record<string, string>>

/** Tells the owner of an account, at this address, in the language they read. Nothing where none is sent there any more. Comes last in a deed. */
export async function tell(tx: Db, memberId: string, { kind, address }: Address, template: Told, values: Values = {}): Promise<void> {
  const { language } = await tx.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  await delivery
    .send(tx, {
      effectKey: `told ${randomUUID()}`,
      channel: channels[kind],
      to: address,
      template,
      values,
      language: language === 'en' ? 'en' : 'zh',
    })
    .catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.kind !== CountryNotServed) throw error
    })
}

/**
 * Tells the owner by e-mail of what concerns the safety of the account, where one is bound. That the day's ceiling is reached is no reason
 * to refuse what they are told of. Comes last in a deed.
 */
export async function mailOwner(tx: Db, memberId: string, template: Told, values: Values = {}): Promise<void> {
  const email = (await addressesOf(tx, memberId)).find(({ kind }) => kind === 'email')
  if (!email) return
  await tell(tx, memberId, email, template, values).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== TooManySent) throw error
  })
}

/** Of two accounts that become one, the other's own addresses stay, and it gets those it had not. */
export async function transfer(tx: Db, from: string, into: string): Promise<void> {
  const own = new Set((await tx.selectFrom('contact').select('kind').where('member_id', '=', into).execute()).map(({ kind }) => kind))
  const addresses = await addressesOf(tx, from)
  await remove(tx, from)
  for (const its of addresses) if (!own.has(its.kind)) await bind(tx, into, its)
}

/** Frees the addresses of an account that has ended. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('contact').where('member_id', '=', memberId).execute()
}

/** What was sealed with a key that is lost is found by its owners all the same, and nothing is sent there. */
export async function forgetSealed(tx: Db): Promise<void> {
  await tx.updateTable('contact').set({ address: null }).execute()
}

export function opened(kind: Kind, memberId: string, box: Buffer): string {
  return unseal(placeOf(kind, memberId), box).toString()
}

/** What is counted of an address: it does not tell which. */
export async function keyOf(db: Db, its: Address): Promise<string> {
  return `${its.kind} ${(await hashOf(db, its)).toString('base64url')}`
}

async function hashOf(db: Db, its: Address): Promise<Buffer> {
  return createHmac('sha256', await secretOf(db, 'contact'))
    .update(subjectOf(its))
    .digest()
}

function kindOf(kind: string): Kind {
  return kinds.find((one) => one === kind) ?? 'phone'
}

function placeOf(kind: Kind, memberId: string): Place {
  return { purpose: 'contact', row: `${kind} ${memberId}` }
}
