import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { seal } from '#base/server/security/sealing.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { AddressTaken, kinds } from '#contact/contract.ts'
import { addressesOf, bind, unsealAddress, sealContext } from '#contact/server/bound-address.ts'
import type { Address } from '#contact/server/address.ts'
import { notifyAddress, notifyIfQuotaAllows } from '#contact/server/security-alerts.ts'
import type { Template } from '#delivery/server/delivery.ts'

/** The login methods whose changes notify the owner. */
export type SecurityChange = 'password' | 'phone' | 'email' | 'hint' | 'secondFactor'

const bareTemplates = {
  password: 'passwordChanged',
  phone: 'numberChanged',
  phoneBound: 'numberBound',
  email: 'emailChanged',
  emailBound: 'emailBound',
  hint: 'hintChanged',
  secondFactor: 'secondFactorOn',
} as const satisfies Record<string, Template>

/**
 * Records a security-relevant change of an account, and notifies all addresses that were bound `before`, by e-mail with a link that takes
 * the account back. Refused where the owner's and a replaced address cannot be reached; other addresses are notified while the quota lasts.
 * Call it last in a transaction that has locked the member.
 */
export async function recordChange(tx: Db, memberId: string, what: SecurityChange, before: readonly Address[]): Promise<void> {
  if (before.length === 0) return
  const replaced = before.find(({ kind }) => kind === what)
  const email = before.find(({ kind }) => kind === 'email')
  const link = email && (await isEmailTrusted(tx, memberId)) ? newToken() : null
  await tx
    .insertInto('take_back')
    .values({
      member_id: memberId,
      what,
      former: replaced ? seal(sealContext(replaced.kind, memberId), replaced.address) : null,
      hash: link ? hashOf(link) : null,
    })
    .execute()
  const event = (what === 'phone' || what === 'email') && !replaced ? (`${what}Bound` as const) : what
  // A recently bound e-mail address may be a thief's; then the phone number counts as the owner's.
  const owners = link ? email : (before.find(({ kind }) => kind === 'phone') ?? email)
  for (const its of before) {
    const isMust = its === owners || its === replaced
    if (its === email && link) {
      const values = { what: event, link: absoluteUrl(`/takeBack#${link}`) }
      await notifyAddress(tx, memberId, its, { template: 'takeBack', values })
    } else if (isMust) await notifyAddress(tx, memberId, its, { template: bareTemplates[event] })
    else await notifyIfQuotaAllows(tx, memberId, its, bareTemplates[event])
  }
}

// A thief's newly bound address gets no link, until the owner has had the time to take the account back.
async function isEmailTrusted(tx: Db, memberId: string): Promise<boolean> {
  const recent = await tx
    .selectFrom('take_back')
    .select('id')
    .where('member_id', '=', memberId)
    .where('what', '=', 'email')
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  return recent === undefined
}

/**
 * The author of a change may have changed something else first: everything since then counts as theirs, for as long as its own link would
 * have been valid.
 */
export type Change = { id: string; memberId: string; at: Date; since: Date }

/** The change that a valid link takes back. */
export async function changeByLink(db: Db, link: string): Promise<Change | null> {
  const row = await db
    .selectFrom('take_back')
    .select(['id', 'member_id as memberId', 'at', sql<Date>`at - interval '7 days'`.as('since')])
    .where('hash', '=', hashOf(link))
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  return row ?? null
}

type RestoredAddresses = { changed: ReadonlySet<string>; current: Address[]; removed: Address[]; missing: Address[] }

/**
 * Removes the addresses that were bound since a change or in the week before, and restores the original ones, except those another account
 * got meanwhile. Later links become invalid; earlier ones stay, since their owner had the account before. Returns the other changes, and
 * the addresses to notify.
 */
export async function restoreAddresses(tx: Db, { id, memberId, at, since }: Change): Promise<RestoredAddresses> {
  const changes = await tx
    .selectFrom('take_back')
    .select(['what', 'former'])
    .where('member_id', '=', memberId)
    .where('at', '>=', since)
    .orderBy('id')
    .execute()
  await tx.deleteFrom('take_back').where('member_id', '=', memberId).where('id', '>=', id).execute()
  const changed = new Set(changes.map(({ what }) => what))
  const then = await addressesOf(tx, memberId)
  await tx
    .deleteFrom('contact')
    .where('member_id', '=', memberId)
    .where(sql<boolean>`(bound_at >= ${at} or kind = ${anyOf([...changed])})`)
    .execute()
  const missing: Address[] = []
  for (const kind of kinds) {
    const first = changes.find(({ what }) => what === kind)
    if (!first?.former) continue
    const its = { kind, address: unsealAddress(kind, memberId, first.former) }
    if (!(await isBoundAgain(tx, memberId, its))) missing.push(its)
  }
  const now = await addressesOf(tx, memberId)
  const removed = then.filter((one) => !now.some(({ kind, address }) => kind === one.kind && address === one.address))
  return { changed, current: now, removed, missing }
}

async function isBoundAgain(tx: Db, memberId: string, its: Address): Promise<boolean> {
  try {
    await bind(tx, memberId, its)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.kind === AddressTaken) return false
    throw error
  }
}
