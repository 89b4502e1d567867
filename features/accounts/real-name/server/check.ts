import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import * as attempts from '#base/server/security/attempts.ts'
import { dayAt } from '#base/server/calendar.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import {
  AnotherBirthday,
  CheckedAlready,
  CheckerAway,
  NotChecked,
  NotOffered,
  NotTheSame,
  TooManyTries,
  type checkRealName,
  type realName,
} from '#real-name/contract.ts'
import { checkerOf, documentsFor } from '#real-name/server/configured-provider.ts'
import type { Checker, Claim, Verdict } from '#real-name/server/providers/provider.ts'
import {
  hashOf,
  store,
  identityOf,
  storedIdentityOf,
  lock,
  mayPost,
  withoutName,
  type VerifiedIdentity,
} from '#real-name/server/real-name.ts'
import { normalizeClaim, starredName, starredNumber } from '#real-name/server/normalize-claim.ts'
import * as setting from '#setting/server/setting.ts'

const day = 86_400

type VerifiedClaim = { claim: Claim; by: string }

export async function show(db: Db, { id }: Member): Promise<Output<typeof realName>> {
  const settings = await setting.all(db)
  const { realNameForPosting: requirement } = settings
  const [stored, { phone }] = await Promise.all([identityOf(primary(db), id), contact.maskedAddressesOf(primary(db), id)])
  return {
    asked: requirement,
    phone,
    canBind: contact.sendableKinds(settings).includes('phone'),
    mayPost: mayPost(requirement, { hasPhone: phone !== null, isChecked: stored !== null }),
    checked: stored && maskedView(stored),
    documents: [...documentsFor(settings)],
  }
}

function maskedView({ document, name, number, checkedAt, isMinor }: VerifiedIdentity) {
  return { document, name: starredName(name), number: starredNumber(number), checkedAt: checkedAt.toISOString(), isMinor }
}

/** Asks the provider, outside of any transaction. The attempt counts in any case, unless the provider was unreachable. */
export async function prepare(context: PrepareContext<ParsedInput<typeof checkRealName>, Member>): Promise<VerifiedClaim> {
  const { db, viewer, input, client, inSeparateTransaction } = context
  const checker = await checkerOf(db)
  if (!checker?.documents.includes(input.document)) throw NotOffered()
  const { timeZone } = await setting.all(db)
  const claim = normalizeClaim(input, dayAt(Date.now(), timeZone))
  if (await identityOf(primary(db), viewer.id)) throw CheckedAlready()
  const own = { key: `real name ${viewer.id}`, most: 5, seconds: day }
  const ofNumber = { key: `real name ${hashOf(claim).toString('base64url')}`, most: 10, seconds: day }
  const ofNetwork = { key: attempts.networkKey('real name', client.ip), most: 30, seconds: day }
  const wait = await inSeparateTransaction((tx) => attempts.take(tx, [own, ofNumber, ofNetwork]))
  if (wait > 0) throw TooManyTries({ hours: Math.ceil(wait / 3600) })
  const verdict = await verdictOf(checker, claim)
  if (verdict === 'different') throw NotTheSame()
  if (verdict === 'same') return { claim, by: checker.name }
  await inSeparateTransaction((tx) => attempts.undoLast(tx, [own.key, ofNumber.key, ofNetwork.key]))
  throw CheckerAway()
}

async function verdictOf(checker: Checker, claim: Claim): Promise<Verdict> {
  try {
    return await checker.check(claim)
  } catch {
    return 'away' // no answer, or one that is too long
  }
}

export async function save(tx: Db, { id }: Member, { claim, by }: VerifiedClaim): Promise<void> {
  await lock(tx, id)
  const before = await storedIdentityOf(tx, id)
  if (before && before.name !== null) throw CheckedAlready()
  // A member who withdrew as a minor keeps their birthday. Only a member who proved that the document is theirs gets this answer.
  if (before?.isMinor && before.birthday !== claim.birthday) throw AnotherBirthday()
  await store(tx, id, claim, by)
}

/** Deletes the checked data. The birthday of a minor stays, because a withdrawal would otherwise lift the caps. */
export async function withdraw(tx: Db, { id }: Member): Promise<void> {
  await lock(tx, id)
  const stored = await storedIdentityOf(tx, id)
  if (!stored || stored.name === null) throw NotChecked()
  if (!stored.isMinor) return void (await tx.deleteFrom('real_name').where('member_id', '=', id).execute())
  await tx
    .updateTable('real_name')
    .set({ ...withoutName, withdrawn_at: sql<Date>`now()` })
    .where('member_id', '=', id)
    .execute()
}
