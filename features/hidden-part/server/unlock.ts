import { sql, type RawBuilder } from 'kysely'
import * as account from '#account/server/account.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import {
  OpensOtherwise,
  OwnPart,
  PriceChanged,
  TriedTooOften,
  WrongPassword,
  type buyPart,
  type unlockPart,
} from '#hidden-part/contract.ts'
import * as guesses from '#hidden-part/server/guesses.ts'
import * as notice from '#notice/server/notice.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import { minorOf } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const triesAMinute = 5
const triesADay = 20

type Opened = Output<typeof unlockPart>
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
  const found = await one(db, viewer, partId)
  if (found.why || found.lock !== 'password') return false
  const guess = { topicId: found.thread_id, member: viewer, client }
  const hash = await inSeparateTransaction(async (tx) => {
    const { rows } = await sql<{ hash: string | null }>`
      select hidden.try_password(${partId}, ${viewer.id}, ${triesAMinute}, ${triesADay}) as hash`.execute(tx)
    const [{ hash } = { hash: null }] = rows
    if (hash === null) throw TriedTooOften()
    await guesses.count(tx, guess)
    return hash
  })
  const isRight = await account.isPassword(hash || null, password)
  if (isRight) await inSeparateTransaction((tx) => guesses.giveBack(tx, guess))
  return isRight
}

/** Opens a part with its password. */
export async function unlock(tx: Db, member: Member, { partId }: ParsedInput<typeof unlockPart>, isRight: boolean): Promise<Opened> {
  await keepAsItIs(tx, partId)
  const found = await one(tx, member, partId)
  if (found.why) return { partId, isNew: false }
  if (found.lock !== 'password') throw OpensOtherwise({ lock: found.lock })
  if (!isRight) throw WrongPassword()
  const { rows } = await sql<{ isNew: boolean }>`
    select hidden.open(${partId}, ${member.id}, 'password', 0, 0, null) as "isNew"`.execute(tx)
  const isNew = rows[0]?.isNew ?? false
  if (isNew) await tellAuthor(tx, member, found)
  return { partId, isNew }
}

const paying = setting.currentWithin('allowCash', 'hiddenSharePoints', 'hiddenShareCash')
type Priced = LockedPart & { settings: Parameters<typeof paying.read>[0]; hasProved: boolean | null }

/**
 * Opens a part for its price, which must be the one the buyer saw. All conditions are read in one round trip; the writes go with the
 * commit.
 */
export async function buy(tx: Db, member: Member, { partId, price }: ParsedInput<typeof buyPart>): Promise<Opened> {
  await keepAsItIs(tx, partId)
  const found = await one<Priced>(
    tx,
    member,
    partId,
    sql`${paying.values} as settings, case lock when 'balance' then ${secondFactor.hasProved(member)} end as "hasProved"`,
  )
  const { why, lock, needs, author_id: to, refunds, hasProved } = found
  if (why) return { partId, isNew: false }
  const settings = paying.read(found.settings)
  if (lock !== 'points' && (lock !== 'balance' || !settings.allowCash)) throw OpensOtherwise({ lock })
  if (needs === null || price !== needs) throw PriceChanged()
  if (lock === 'balance' && !hasProved) throw ProveAgain()
  const amount = minorOf(needs)
  const share = lock === 'points' ? settings.hiddenSharePoints : settings.hiddenShareCash
  const currency = lock === 'points' ? 'points' : 'cny'
  // One purchase per refund: the source counts the refunds so far.
  const source = `part:${partId}:${member.id}:${refunds}`
  const by = { kind: 'member', id: member.id } as const
  const payment = { from: member.id, to, currency, amount, share, kind: 'unlock', source, by } as const
  await wallet.payAtCommit(tx, payment, sql`hidden.open(${partId}, ${member.id}, ${lock}, ${needs}, ${needs} - taken, id)`)
  await tellAuthor(tx, member, found)
  return { partId, isNew: true }
}

/**
 * Locks the part against edits and removal until the transaction ends. Sent together with the next statement, which reads the locked
 * state.
 */
async function keepAsItIs(tx: Db, partId: string): Promise<void> {
  await sql`/* with the commit */ select hidden.keep_as_it_is(${partId})`.execute(tx)
}

/** A part with its place, and the columns that the caller adds. Refuses parts that this member may not see, and their own. */
async function one<Row extends LockedPart>(db: Db, member: Member, partId: string, besides: RawBuilder<unknown> = sql`null`): Promise<Row> {
  const { rows } = await sql<Row>`
    select thread_id, found.author_id, lock, needs, is_there and is_shown as "isThere", tag_id, why, refunds, ${besides}
    from hidden.one(${partId}, ${member.id}, false) as found
      left join topic on topic.id = thread_id and topic.status = 'published'`.execute(db)
  const [found] = rows
  if (!found?.isThere || found.tag_id === null || !member.may('tag.view', found.tag_id)) throw Missing()
  if (found.why === 'author') throw OwnPart()
  return found
}

async function tellAuthor(tx: Db, member: Member, { thread_id: topicId, author_id: memberId }: LockedPart): Promise<void> {
  const post = { kind: 'topic', id: topicId, topicId } as const
  await notice.remind(tx, { memberId, kind: 'unlocked', actorId: member.id, post })
}
