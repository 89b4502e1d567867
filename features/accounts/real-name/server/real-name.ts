import { sql, type InsertObject } from 'kysely'
import { dayAt } from '#base/server/calendar.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { lowestFreeNumber } from '#base/server/database/lowest-free-number.ts'
import { keyedHash, seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import type { Tables } from '#database/tables.ts'
import { documents, IdentityFirst, PersonTaken, PhoneFirst, type Document } from '#real-name/contract.ts'
import { ageOn, ageOfMajority } from '#real-name/server/age.ts'
import type { Claim } from '#real-name/server/providers/provider.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export { setEndpointForTests } from '#real-name/server/configured-provider.ts'

/** That a member was checked, and when they withdrew as a minor. */
export type Check = {
  document: Document
  birthday: string
  checkedBy: string
  checkedAt: Date
  withdrawnAt: Date | null
  isMinor: boolean
}
export type VerifiedIdentity = Check & { name: string; number: string }
/** The same, or the rest after a withdrawal: no name and no number. */
type StoredIdentity = Check & { name: string | null; number: string | null }

/** The columns of a row after a withdrawal. */
export const withoutName = { name: null, number: null, person_hash: null, slot: null }

/** A member's verified identity. For the member, and for staff who gave a reason. */
export async function identityOf(db: Db, memberId: string): Promise<VerifiedIdentity | null> {
  const row = await storedIdentityOf(db, memberId)
  return row?.name && row.number ? { ...row, name: row.name, number: row.number } : null
}

/** The same, also after a withdrawal. */
export async function storedIdentityOf(db: Db, memberId: string): Promise<StoredIdentity | null> {
  const row = await rowOf(db, memberId)
  if (!row) return null
  const [name, number] = [row.name && unsealPart(memberId, 'name', row.name), row.number && unsealPart(memberId, 'number', row.number)]
  return { ...(await checkFromRow(db, memberId, row)), name, number }
}

/** That a member was checked, without the identity: name and number stay sealed. */
export async function checkOf(db: Db, memberId: string): Promise<Check | null> {
  const row = await rowOf(db, memberId)
  return row ? checkFromRow(db, memberId, row) : null
}

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>

function rowOf(db: Db, memberId: string) {
  return db
    .selectFrom('real_name')
    .select(['document', 'name', 'number', 'birthday', 'checked_by', 'checked_at', 'withdrawn_at'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

async function checkFromRow(db: Db, memberId: string, row: Row): Promise<Check> {
  const birthday = unsealPart(memberId, 'birthday', row.birthday)
  return {
    document: documents.find((one) => one === row.document) ?? 'other',
    birthday,
    checkedBy: row.checked_by,
    checkedAt: row.checked_at,
    withdrawnAt: row.withdrawn_at,
    isMinor: (await ageOf(db, birthday)) < ageOfMajority,
  }
}

/** Refuses members who may not post before they are verified, as the site requires. */
export async function requireVerification(db: Db, memberId: string): Promise<void> {
  const { realNameForPosting: requirement } = await setting.all(db)
  if (requirement === 'nobody') return
  const { rows } = await sql<{ hasPhone: boolean; isChecked: boolean }>`select
    exists (select from contact where member_id = ${memberId} and kind = 'phone') as "hasPhone",
    exists (select from real_name where member_id = ${memberId} and withdrawn_at is null) as "isChecked"`.execute(primary(db))
  const [its = { hasPhone: false, isChecked: false }] = rows
  if (!mayPost(requirement, its)) throw requirement === 'phone' ? PhoneFirst() : IdentityFirst()
}

export function mayPost(requirement: Settings['realNameForPosting'], its: { hasPhone: boolean; isChecked: boolean }): boolean {
  return requirement === 'nobody' || its.isChecked || (requirement === 'phone' && its.hasPhone)
}

export type SpendingCaps = { onceCents: number; dayCents: number }

/** How much money a minor may spend or give at once and within a day; null for all others, and for unverified members. */
export async function spendingCapsOf(db: Db, memberId: string): Promise<SpendingCaps | null> {
  const row = await db.selectFrom('real_name').select('birthday').where('member_id', '=', memberId).executeTakeFirst()
  const age = row ? await ageOf(db, unsealPart(memberId, 'birthday', row.birthday)) : ageOfMajority
  if (age >= ageOfMajority) return null
  const its = await setting.all(db)
  if (age < 8) return { onceCents: 0, dayCents: 0 }
  if (age < 16) return { onceCents: its.maxChildCentsPerPayment, dayCents: its.maxChildCentsPerDay }
  return { onceCents: its.maxYouthCentsPerPayment, dayCents: its.maxYouthCentsPerDay }
}

/** Stores a verified identity. One person can have as many accounts as staff allow; further ones are refused. */
export async function store(tx: Db, memberId: string, claim: Claim, by: string, at?: Date): Promise<void> {
  const { accountsPerPerson } = await setting.all(tx)
  const person_hash = hashOf(claim)
  // Serializes concurrent checks of one document.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`real name ${person_hash.toString('hex')}`}, 0))`.execute(tx)
  const others = await tx
    .selectFrom('real_name')
    .select('slot')
    .where('person_hash', '=', person_hash)
    .where('member_id', '<>', memberId)
    .execute()
  const slot = lowestFreeNumber(
    others.flatMap((one) => one.slot ?? []),
    accountsPerPerson,
  )
  if (slot === null) throw PersonTaken()
  await upsert(tx, memberId, {
    document: claim.document,
    name: sealPart(memberId, 'name', claim.name),
    number: sealPart(memberId, 'number', claim.number),
    birthday: sealPart(memberId, 'birthday', claim.birthday),
    person_hash,
    slot,
    checked_by: by,
    checked_at: at ?? sql<Date>`now()`,
    withdrawn_at: null,
  })
}

/**
 * When two accounts merge, the other's check moves to the remaining one where that has none. If either is a minor, the younger birthday
 * stays with its identity, because a merge would otherwise lift the caps.
 */
export async function membersMerging(tx: Db, { from, into }: MergedMembers): Promise<void> {
  const [its, own] = [await storedIdentityOf(tx, from), await storedIdentityOf(tx, into)]
  await remove(tx, from)
  if (!its || (own && !takesPrecedence(its, own))) return
  const { name, number } = its
  if (name !== null && number !== null) await store(tx, into, { ...its, name, number }, its.checkedBy, its.checkedAt)
  else
    await upsert(tx, into, {
      ...withoutName,
      document: its.document,
      birthday: sealPart(into, 'birthday', its.birthday),
      checked_by: its.checkedBy,
      checked_at: its.checkedAt,
      withdrawn_at: its.withdrawnAt,
    })
}

function takesPrecedence(its: StoredIdentity, own: StoredIdentity): boolean {
  if ((its.isMinor || own.isMinor) && its.birthday !== own.birthday) return its.birthday > own.birthday
  return own.name === null && its.name !== null
}

async function upsert(tx: Db, memberId: string, row: Omit<InsertObject<Tables, 'real_name'>, 'member_id'>): Promise<void> {
  await tx
    .insertInto('real_name')
    .values({ member_id: memberId, ...row })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(row))
    .execute()
}

export async function remove(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('real_name').where('member_id', '=', memberId).execute()
}

/** With a lost key the sealed identities are unreadable, so members verify again. */
export async function purgeUndecryptable(tx: Db): Promise<void> {
  await tx.deleteFrom('real_name').execute()
}

export async function lock(tx: Db, memberId: string): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** The lookup hash of one person. */
export function hashOf({ document, number, birthday }: Omit<Claim, 'name'>): Buffer {
  return keyedHash('real name', JSON.stringify(document === 'chineseId' ? [document, number] : [document, number, birthday]))
}

// The age is computed on every read, because nothing announces a birthday.
async function ageOf(db: Db, birthday: string): Promise<number> {
  const { timeZone } = await setting.all(db)
  return ageOn(dayAt(Date.now(), timeZone), birthday)
}

type Part = 'name' | 'number' | 'birthday'

function sealPart(memberId: string, part: Part, text: string): Buffer {
  return seal(sealContext(memberId, part), text)
}

function unsealPart(memberId: string, part: Part, box: Buffer): string {
  return unseal(sealContext(memberId, part), box).toString()
}

function sealContext(memberId: string, part: Part): SealContext {
  return { purpose: 'real name', row: `${part} ${memberId}` }
}
