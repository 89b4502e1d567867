import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { seal } from '#base/server/security/sealing.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { wholeAddress } from '#base/server/http/site-address.ts'
import { AddressTaken, kinds } from '#contact/contract.ts'
import { addressesOf, bind, opened, placeOf } from '#contact/server/bound.ts'
import type { Address } from '#contact/server/address.ts'
import { tell, tellIfRoom } from '#contact/server/telling.ts'
import type { Template } from '#delivery/server/delivery.ts'

/** What keeps an account safe, and was changed. */
export type What = 'password' | 'phone' | 'email' | 'hint' | 'secondFactor'

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
 * Notes what was changed of an account, and tells all addresses that were bound `before`, by e-mail with a link that takes the account back. What cannot be
 * told to the owner, and to an address that was replaced, is refused; others hear of it while there is room. Comes last in a deed, which has locked the
 * member.
 */
export async function noteChange(tx: Db, memberId: string, what: What, before: readonly Address[]): Promise<void> {
  if (before.length === 0) return
  const replaced = before.find(({ kind }) => kind === what)
  const email = before.find(({ kind }) => kind === 'email')
  const link = email && (await isSettled(tx, memberId)) ? newToken() : null
  await tx
    .insertInto('take_back')
    .values({
      member_id: memberId,
      what,
      former: replaced ? seal(placeOf(replaced.kind, memberId), replaced.address) : null,
      hash: link ? hashOf(link) : null,
    })
    .execute()
  const said = (what === 'phone' || what === 'email') && !replaced ? (`${what}Bound` as const) : what
  // An e-mail address that was bound lately may be a thief's, and the owner's is the number then.
  const owners = link ? email : (before.find(({ kind }) => kind === 'phone') ?? email)
  for (const its of before) {
    const isMust = its === owners || its === replaced
    if (its === email && link) {
      const values = { what: said, link: wholeAddress(`/takeBack#${link}`) }
      await tell(tx, memberId, its, { template: 'takeBack', values })
    } else if (isMust) await tell(tx, memberId, its, { template: bareTemplates[said] })
    else await tellIfRoom(tx, memberId, its, bareTemplates[said])
  }
}

// Whoever got into an account and bound an address of theirs to it gets no link, until its owner has had the time to take it back.
async function isSettled(tx: Db, memberId: string): Promise<boolean> {
  const recent = await tx
    .selectFrom('take_back')
    .select('id')
    .where('member_id', '=', memberId)
    .where('what', '=', 'email')
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  return recent === undefined
}

/** Whoever made it may have changed something else first: all of it since then counts as theirs, for as long as its own link would have been good. */
export type Change = { id: string; memberId: string; at: Date; since: Date }

/** Which change a link takes back, while it is good. */
export async function changeOf(db: Db, link: string): Promise<Change | null> {
  const row = await db
    .selectFrom('take_back')
    .select(['id', 'member_id as memberId', 'at', sql<Date>`at - interval '7 days'`.as('since')])
    .where('hash', '=', hashOf(link))
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  return row ?? null
}

type PutBack = { changed: ReadonlySet<string>; now: Address[]; gone: Address[]; missing: Address[] }

/**
 * Takes away the addresses that were bound since a change or in the week before, and puts back those that stood there first, but for those another account
 * got meanwhile. Later links are good no more; earlier ones stay, for their owner had the account before. Gives what else was changed, and whom to tell.
 */
export async function putBack(tx: Db, { id, memberId, at, since }: Change): Promise<PutBack> {
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
    const its = { kind, address: opened(kind, memberId, first.former) }
    if (!(await isBoundAgain(tx, memberId, its))) missing.push(its)
  }
  const now = await addressesOf(tx, memberId)
  const gone = then.filter((one) => !now.some(({ kind, address }) => kind === one.kind && address === one.address))
  return { changed, now, gone, missing }
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
