import { sql, type RawBuilder } from 'kysely'
import * as account from '#account/server/account.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { WrongLock, OwnPart, PriceChanged, TooManyTries, WrongPassword, type buyPart, type unlockPart } from '#hidden-part/contract.ts'
import * as guesses from '#hidden-part/server/guesses.ts'
import * as notification from '#notification/server/notification.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const triesPerMinute = 5
const triesPerDay = 20

type UnlockResult = Output<typeof unlockPart>
type LockedPart = {
  thread_id: string
  author_id: string
  lock: Lock
  needs: string | null
  isThere: boolean
  /** Null if the thread is not published. */
  tag_id: string | null
  why: string | null
  refunds: number
}

/**
 * Whether a password is correct. Each try is counted before the comparison, in a transaction of its own that survives a refusal: against
 * the member always, against their network and the overall limit only if it was wrong.
 */
export async function tryPassword({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof unlockPart>, Member>): Promise<boolean> {
  const { partId, password } = input
  const part = await findPart(db, viewer, partId)
  if (part.why || part.lock !== 'password') return false
  const guess = { topicId: part.thread_id, member: viewer, client }
  const hash = await inSeparateTransaction(async (tx) => {
    const { rows } = await sql<{ hash: string | null }>`
      select hidden.try_password(${partId}, ${viewer.id}, ${triesPerMinute}, ${triesPerDay}) as hash`.execute(tx)
    const [{ hash } = { hash: null }] = rows
    if (hash === null) throw TooManyTries()
    await guesses.count(tx, guess)
    return hash
  })
  const isCorrect = await account.isPassword(hash || null, password)
  if (isCorrect) await inSeparateTransaction((tx) => guesses.uncount(tx, guess))
  return isCorrect
}

/** Opens a part with its password. */
export async function unlock(
  tx: Db,
  member: Member,
  { partId }: ParsedInput<typeof unlockPart>,
  isCorrect: boolean,
): Promise<UnlockResult> {
  await lockPart(tx, partId)
  const part = await findPart(tx, member, partId)
  if (part.why) return { partId, isNew: false }
  if (part.lock !== 'password') throw WrongLock({ lock: part.lock })
  if (!isCorrect) throw WrongPassword()
  const { rows } = await sql<{ isNew: boolean }>`
    select hidden.record_unlock(${partId}, ${member.id}, 'password', 0, 0, null) as "isNew"`.execute(tx)
  const isNew = rows[0]?.isNew ?? false
  if (isNew) await notifyAuthor(tx, member, part)
  return { partId, isNew }
}

const priceSettings = setting.currentWithin('allowCash', 'hiddenSharePoints', 'hiddenShareCash')
type PricedPart = LockedPart & { settings: Parameters<typeof priceSettings.read>[0]; hasProved: boolean | null }

/**
 * Opens a part for its price, which must be the one the buyer saw. All conditions are read in one round trip; the writes go with the
 * commit.
 */
export async function buy(tx: Db, member: Member, { partId, price }: ParsedInput<typeof buyPart>): Promise<UnlockResult> {
  await lockPart(tx, partId)
  const part = await findPart<PricedPart>(
    tx,
    member,
    partId,
    sql`${priceSettings.values} as settings, case lock when 'balance' then ${secondFactor.hasProved(member)} end as "hasProved"`,
  )
  const { why, lock, needs, author_id: to, refunds, hasProved } = part
  if (why) return { partId, isNew: false }
  const settings = priceSettings.read(part.settings)
  if (lock !== 'points' && (lock !== 'balance' || !settings.allowCash)) throw WrongLock({ lock })
  if (needs === null || price !== needs) throw PriceChanged()
  if (lock === 'balance' && !hasProved) throw ProveAgain()
  const amount = toMinor(needs)
  const share = lock === 'points' ? settings.hiddenSharePoints : settings.hiddenShareCash
  const currency = lock === 'points' ? 'points' : 'cny'
  // One purchase per refund: the source counts the refunds so far.
  const source = `part:${partId}:${member.id}:${refunds}`
  const by = { kind: 'member', id: member.id } as const
  const payment = { from: member.id, to, currency, amount, share, kind: 'unlock', source, by } as const
  await wallet.payAtCommit(tx, payment, sql`hidden.record_unlock(${partId}, ${member.id}, ${lock}, ${needs}, ${needs} - taken, id)`)
  await notifyAuthor(tx, member, part)
  return { partId, isNew: true }
}

/**
 * Locks the part against edits and removal until the transaction ends. Sent together with the next statement, which reads the locked
 * state.
 */
async function lockPart(tx: Db, partId: string): Promise<void> {
  await sql`/* with the commit */ select hidden.lock_for_share(${partId})`.execute(tx)
}

/** A part with its place, and the columns that the caller adds. Refuses parts that this member may not see, and their own. */
async function findPart<Row extends LockedPart>(
  db: Db,
  member: Member,
  partId: string,
  extraColumns: RawBuilder<unknown> = sql`null`,
): Promise<Row> {
  const { rows } = await sql<Row>`
    select thread_id, found.author_id, lock, needs, is_there and is_shown as "isThere", tag_id, why, refunds, ${extraColumns}
    from hidden.find(${partId}, ${member.id}, false) as found
      left join topic on topic.id = thread_id and topic.status = 'published'`.execute(db)
  const [part] = rows
  if (!part?.isThere || part.tag_id === null || !member.may('tag.view', part.tag_id)) throw Missing()
  if (part.why === 'author') throw OwnPart()
  return part
}

async function notifyAuthor(tx: Db, member: Member, { thread_id: topicId, author_id: memberId }: LockedPart): Promise<void> {
  const post = { kind: 'topic', id: topicId, topicId } as const
  await notification.notifyOfEvent(tx, { memberId, kind: 'unlocked', actorId: member.id, post })
}
