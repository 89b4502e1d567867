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
import { checkerOf, documentsFor } from '#real-name/server/in-use.ts'
import type { Checker, Claim, Verdict } from '#real-name/server/providers/provider.ts'
import { hashOf, keep, known, knownOf, lock, mayPost, withoutName, type Known } from '#real-name/server/real-name.ts'
import { spelled, starredName, starredNumber } from '#real-name/server/spelling.ts'
import * as setting from '#setting/server/setting.ts'

const day = 86_400

type Checked = { claim: Claim; by: string }

export async function look(db: Db, { id }: Member): Promise<Output<typeof realName>> {
  const settings = await setting.all(db)
  const { realNameForPosting: asked } = settings
  const [who, { phone }] = await Promise.all([known(primary(db), id), contact.shownOf(primary(db), id)])
  return {
    asked,
    phone,
    canBind: contact.sendable(settings).includes('phone'),
    mayPost: mayPost(asked, { hasPhone: phone !== null, isChecked: who !== null }),
    checked: who && shownOf(who),
    documents: [...documentsFor(settings)],
  }
}

function shownOf({ document, name, number, checkedAt, isMinor }: Known) {
  return { document, name: starredName(name), number: starredNumber(number), checkedAt: checkedAt.toISOString(), isMinor }
}

/** Asks the provider, outside of any transaction. The attempt counts in any case, unless the provider was unreachable. */
export async function prepare(before: PrepareContext<ParsedInput<typeof checkRealName>, Member>): Promise<Checked> {
  const { db, viewer, input, client, inSeparateTransaction } = before
  const checker = await checkerOf(db)
  if (!checker?.documents.includes(input.document)) throw NotOffered()
  const { timeZone } = await setting.all(db)
  const claim = spelled(input, dayAt(Date.now(), timeZone))
  if (await known(primary(db), viewer.id)) throw CheckedAlready()
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

export async function keepChecked(tx: Db, { id }: Member, { claim, by }: Checked): Promise<void> {
  await lock(tx, id)
  const before = await knownOf(tx, id)
  if (before && before.name !== null) throw CheckedAlready()
  // A member who withdrew as a minor keeps their birthday. Only a member who proved that the document is theirs gets this answer.
  if (before?.isMinor && before.birthday !== claim.birthday) throw AnotherBirthday()
  await keep(tx, id, claim, by)
}

/** Deletes the checked data. The birthday of a minor stays, because a withdrawal would otherwise lift the caps. */
export async function withdraw(tx: Db, { id }: Member): Promise<void> {
  await lock(tx, id)
  const who = await knownOf(tx, id)
  if (!who || who.name === null) throw NotChecked()
  if (!who.isMinor) return void (await tx.deleteFrom('real_name').where('member_id', '=', id).execute())
  await tx
    .updateTable('real_name')
    .set({ ...withoutName, withdrawn_at: sql<Date>`now()` })
    .where('member_id', '=', id)
    .execute()
}
