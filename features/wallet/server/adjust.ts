import { sql, type ExpressionBuilder } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import { paged } from '#base/server/paged.ts'
import type { From, Hand, Staff } from '#base/server/route.ts'
import type { Tables } from '#database/tables.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import type { adjustments, declineAdjustment } from '#wallet/adjust-contract.ts'
import { AccountMerged, AlreadyDecided, OwnAccount, OwnRequest, amountOut, minorOf, type Currency, type Minor } from '#wallet/contract.ts'
import { shownCurrencies } from '#wallet/server/shown.ts'
import { credit, debit, tellMoved } from '#wallet/server/wallet.ts'

type Wish = { memberId: string; currency: Currency; way: 'add' | 'take'; amount: Minor; reason: string }

/** Adds or takes what one may alone; what is more waits for another. Nobody adjusts what is their own. */
export async function adjust(tx: Db, by: Staff, from: From, wish: Wish): Promise<{ isWaiting: boolean }> {
  const settings = await termsOf(tx, wish.currency)
  await lockAccountOf(tx, by, wish.memberId)
  const amount = wish.way === 'add' ? wish.amount : minorOf(0n - wish.amount)
  const isWaiting = (await doneAlone(tx, by.staff, wish)) + wish.amount > aloneOf(settings)[wish.currency]
  const row = await tx
    .insertInto('adjustment')
    .values({
      member_id: wish.memberId,
      currency: wish.currency,
      amount: String(amount),
      reason: wish.reason,
      asked_by: by.staff.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!isWaiting) await settle(tx, by.staff, { id: row.id, ...wish, amount }, null)
  await audit.note(tx, by.staff, from, {
    deed: isWaiting ? 'wallet.ask' : 'wallet.adjust',
    about: `member ${wish.memberId}`,
    reason: wish.reason,
    after: { [wish.currency]: amountOut(wish.currency, amount) },
  })
  return { isWaiting }
}

/** Where the site has no balance there is none to adjust. */
async function termsOf(tx: Db, currency: Currency) {
  const terms = await setting.current(tx, 'allowCash', 'pointsAlone', 'yuanAlone')
  if (currency === 'cny' && !terms.allowCash) throw Missing()
  return terms
}

/** How much one member of staff may add to a member, or take, in a day. */
export function aloneOf({ pointsAlone, yuanAlone }: Pick<Settings, 'pointsAlone' | 'yuanAlone'>): Record<Currency, Minor> {
  return { points: minorOf(pointsAlone), cny: minorOf(yuanAlone * 100) }
}

/** Another member of staff agrees. */
export async function approve(tx: Db, by: Staff, from: From, adjustmentId: string): Promise<{ transactionId: string }> {
  const its = await lockWaiting(tx, adjustmentId)
  if (its.asked_by === by.staff.id) throw OwnRequest()
  await termsOf(tx, its.currency)
  await lockAccountOf(tx, by, its.member_id)
  const amount = minorOf(its.amount)
  const { id, currency, member_id: memberId, reason } = its
  const transactionId = await settle(tx, { id: its.asked_by }, { id, memberId, currency, amount, reason }, by.staff.id)
  await audit.note(tx, by.staff, from, {
    deed: 'wallet.approve',
    about: `member ${memberId}`,
    reason,
    after: { [currency]: amountOut(currency, amount), adjustmentId },
  })
  return { transactionId }
}

export async function decline(tx: Db, by: Staff, from: From, { adjustmentId, reason }: Taken<typeof declineAdjustment>): Promise<void> {
  const its = await lockWaiting(tx, adjustmentId)
  await tx
    .updateTable('adjustment')
    .set({ state: 'declined', decided_by: by.staff.id, decided_at: sql`clock_timestamp()`, answer: reason })
    .where('id', '=', adjustmentId)
    .execute()
  await audit.note(tx, by.staff, from, {
    deed: 'wallet.decline',
    about: `member ${its.member_id}`,
    reason,
    before: { [its.currency]: amountOut(its.currency, minorOf(its.amount)), adjustmentId },
  })
}

const id = sql`adjustment.id`
const keys = { asked: { by: id, as: 'bigint' } } as const

export async function list(db: Db, by: Staff, asked: Taken<typeof adjustments>): Promise<Output<typeof adjustments>> {
  const { state, member, account } = asked
  let query = db
    .selectFrom('adjustment')
    .innerJoin('member', 'member.id', 'member_id')
    .innerJoin('staff as asker', 'asker.id', 'asked_by')
    .leftJoin('staff as decider', 'decider.id', 'decided_by')
    .select(['adjustment.id', 'currency', 'amount', 'reason', 'asked_by', 'asked_at', 'state', 'decided_at', 'answer'])
    .select(['transaction_id', 'asker.account as asker', 'decider.account as decider', 'member_id', nameOf])
    .where('currency', '=', anyOf(await shownCurrencies(db)))
  if (state) query = query.where('state', '=', state)
  if (member) query = query.where('member_id', '=', member)
  if (account) query = query.where('asker.account', '=', account)
  const page = await paged(db, query, { ...asked, keys, id })
  return {
    ...page,
    rows: page.rows.map((row) => ({
      id: row.id,
      member: { id: row.member_id, name: row.name },
      currency: row.currency,
      amount: amountOut(row.currency, minorOf(row.amount)),
      reason: row.reason,
      askedBy: row.asker,
      askedAt: row.asked_at.toISOString(),
      state: row.state,
      decidedBy: row.decider,
      decidedAt: row.decided_at?.toISOString() ?? null,
      answer: row.answer,
      transactionId: row.transaction_id,
      isMine: row.asked_by === by.staff.id,
      isOfMe: row.member_id === by.id,
    })),
  }
}

function nameOf(row: ExpressionBuilder<Tables, 'member'>) {
  return row.fn.coalesce('member.nickname', 'member.account').as('name')
}

/** The member, with others who adjust theirs waiting. */
async function lockAccountOf(tx: Db, by: Staff, memberId: string): Promise<void> {
  if (memberId === by.id) throw OwnAccount()
  const row = await tx.selectFrom('member').select('merged_into').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw Missing()
  if (row.merged_into !== null) throw AccountMerged()
}

async function lockWaiting(tx: Db, adjustmentId: string) {
  const row = await tx.selectFrom('adjustment').selectAll().where('id', '=', adjustmentId).forUpdate().executeTakeFirst()
  if (!row) throw Missing()
  if (row.state !== 'waiting') throw AlreadyDecided()
  return row
}

/** What this one added to them and took from them alone within a day: many small ones are a large one. */
async function doneAlone(tx: Db, { id: staffId }: Hand, { memberId, currency }: Wish): Promise<bigint> {
  const row = await tx
    .selectFrom('adjustment')
    .select(sql<string>`coalesce(sum(abs(amount)), 0)`.as('sum'))
    .where('member_id', '=', memberId)
    .where('asked_by', '=', staffId)
    .where('currency', '=', currency)
    .where('asked_at', '>', sql<Date>`clock_timestamp() - interval '1 day'`)
    .where('state', '=', 'done')
    .where('decided_by', 'is', null)
    .executeTakeFirstOrThrow()
  return BigInt(row.sum)
}

type Adjusted = { id: string; memberId: string; currency: Currency; amount: Minor; reason: string }

/** Moves it, and notes that it is done. */
async function settle(tx: Db, by: { id: string }, { id: its, memberId, currency, amount, reason }: Adjusted, decidedBy: string | null) {
  const cause = { kind: 'adjustment', source: `adjustment:${its}`, by: { kind: 'staff', id: by.id }, reason } as const
  const given = { ...cause, currency, account: 'adjustment' } as const
  const posted = await (amount > 0n
    ? credit(tx, { ...given, to: memberId, amount, origin: 'given' })
    : debit(tx, { ...given, from: memberId, amount: minorOf(0n - amount) }))
  await tx
    .updateTable('adjustment')
    .set({ state: 'done', decided_by: decidedBy, decided_at: sql`clock_timestamp()`, transaction_id: posted.id })
    .where('id', '=', its)
    .execute()
  await tellMoved(tx, [posted.id], { kind: 'accountAdjusted', reason })
  return posted.id
}
