import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import type { Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Before, Member } from '#base/server/route.ts'
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
import { seenThread } from '#hidden-part/server/thread.ts'
import * as notice from '#notice/server/notice.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import { minorOf } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const triesAMinute = 5
const triesADay = 20

type Opened = Output<typeof unlockPart>
type Found = {
  thread_id: string
  author_id: string
  lock: Lock
  needs: string | null
  is_there: boolean
  is_shown: boolean
  why: string | null
  refunds: number
}

const columns = sql`thread_id, author_id, lock, needs, is_there, is_shown, why, refunds`

/**
 * Whether a password is the right one. Each try is counted before it is compared, and stays counted when the call is refused: for the member
 * right or wrong, for their network and for all together where it was wrong.
 */
export async function tryPassword({ db, viewer, input, from, apart }: Before<Taken<typeof unlockPart>, Member>): Promise<boolean> {
  const { partId, password } = input
  const found = await one(db, viewer, partId)
  if (found.why || found.lock !== 'password') return false
  const guess = { topicId: found.thread_id, member: viewer, from }
  const hash = await apart(async (tx) => {
    const { rows } = await sql<{ hash: string | null }>`
      select hidden.try_password(${partId}, ${viewer.id}, ${triesAMinute}, ${triesADay}) as hash`.execute(tx)
    const [{ hash } = { hash: null }] = rows
    if (hash === null) throw TriedTooOften()
    await guesses.count(tx, guess)
    return hash
  })
  const isRight = await account.isPassword(hash || null, password)
  if (isRight) await apart((tx) => guesses.giveBack(tx, guess))
  return isRight
}

/** Opens a part whose password somebody knows. */
export async function unlock(tx: Db, member: Member, { partId }: Taken<typeof unlockPart>, isRight: boolean): Promise<Opened> {
  const found = await aboutToOpen(tx, member, partId)
  if (found.why) return { partId, isNew: false }
  if (found.lock !== 'password') throw OpensOtherwise({ lock: found.lock })
  if (!isRight) throw WrongPassword()
  return { partId, isNew: await opened(tx, member, found, { partId, lock: 'password', paid: '0', earned: '0', transactionId: null }) }
}

/** Opens a part for its price, which is what the buyer saw. */
export async function buy(tx: Db, member: Member, { partId, price }: Taken<typeof buyPart>): Promise<Opened> {
  const found = await aboutToOpen(tx, member, partId)
  const { why, lock, needs, author_id: to, refunds } = found
  if (why) return { partId, isNew: false }
  const settings = await setting.current(tx, 'allowCash', 'hiddenSharePoints', 'hiddenShareCash')
  if (lock !== 'points' && (lock !== 'balance' || !settings.allowCash)) throw OpensOtherwise({ lock })
  if (needs === null || price !== needs) throw PriceChanged()
  if (lock === 'balance') await secondFactor.mustHaveProved(tx, member)
  const amount = minorOf(needs)
  const share = lock === 'points' ? settings.hiddenSharePoints : settings.hiddenShareCash
  const currency = lock === 'points' ? 'points' : 'cny'
  // Once for each time it was given back.
  const source = `part:${partId}:${member.id}:${refunds}`
  const by = { kind: 'member', id: member.id } as const
  const { id: transactionId, taken } = await wallet.pay(tx, { from: member.id, to, currency, amount, share, kind: 'unlock', source, by })
  const earned = String(amount - taken)
  return { partId, isNew: await opened(tx, member, found, { partId, lock, paid: needs, earned, transactionId }) }
}

async function one(db: Db, member: Member, partId: string): Promise<Found> {
  const { rows } = await sql<Found>`select ${columns} from hidden.one(${partId}, ${member.id}, false)`.execute(db)
  return judged(db, member, rows[0])
}

// Nobody changes it until it is opened.
async function aboutToOpen(tx: Db, member: Member, partId: string): Promise<Found> {
  const { rows } = await sql<Found>`select ${columns} from hidden.about_to_open(${partId}, ${member.id})`.execute(tx)
  return judged(tx, member, rows[0])
}

async function judged(db: Db, member: Member, found: Found | undefined): Promise<Found> {
  if (!found?.is_there || !found.is_shown) throw Missing()
  await seenThread(db, member, found.thread_id)
  if (found.why === 'author') throw OwnPart()
  return found
}

type Deed = { partId: string; lock: Lock; paid: string; earned: string; transactionId: string | null }

async function opened(tx: Db, member: Member, { thread_id: topicId, author_id: memberId }: Found, deed: Deed): Promise<boolean> {
  const { partId, lock, paid, earned, transactionId } = deed
  const { rows } = await sql<{ isNew: boolean }>`
    select hidden.open(${partId}, ${member.id}, ${lock}, ${paid}, ${earned}, ${transactionId}) as "isNew"`.execute(tx)
  const isNew = rows[0]?.isNew ?? false
  const post = { kind: 'topic', id: topicId, topicId } as const
  if (isNew) await notice.remind(tx, { memberId, kind: 'unlocked', actorId: member.id, post })
  return isNew
}
