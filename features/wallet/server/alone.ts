import { sql } from 'kysely'
import type { z } from 'zod'
import * as audit from '#audit/server/audit.ts'
import { dayOf, startIn } from '#base/server/calendar.ts'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Hand, Staff } from '#base/server/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { amountOut, minorOf, RequestWaits, type Currency, type Minor } from '#wallet/contract.ts'
import type { Actor } from '#wallet/server/post.ts'
import type { RequestDetail, RequestKind } from '#wallet/request-contract.ts'

/** How much is moved; below zero where an adjustment takes it from a member. */
export type Moved = { points: Minor; cents: Minor }

/** What is about to be moved by hand, as it stands now. */
export type Checked = Moved & {
  memberId?: string
  topicId?: string
  reverses?: string
  detail?: RequestDetail
  /** It takes two whatever else was moved today. */
  takesTwo?: boolean
}

/** Under which number, in whose name and why. */
export type Cause = { id: string; by: Actor; reason: string }

/** Its transactions, where they are its own; and what the log says. */
export type Carried = { transactionIds: readonly string[]; note: audit.Deed }

/** One way in which staff move points or balance by hand. */
export type ByHand<Input> = {
  kind: RequestKind
  input: z.ZodType<Input>
  /** Refuses what cannot be done, or not by this member of staff, and locks what it depends on. Asked again before it is carried out. */
  check(tx: Db, by: Staff, input: Input): Promise<Checked>
  /** Gives why, where there is nothing to do any more. */
  carryOut(tx: Db, by: Staff, input: Input, cause: Cause): Promise<Carried | Refusal>
}

/** Without a transaction of its own where it waits, or where there was nothing to do any more. */
export type Asked = { isWaiting: boolean; transactionIds: readonly string[] }

/** What one may move alone is done at once; all else waits until another member of staff agrees. */
export async function moveByHand<Input>(
  tx: Db,
  by: Staff,
  from: From,
  its: ByHand<Input>,
  { input, reason }: { input: Input; reason: string },
): Promise<Asked> {
  await lockHand(tx, by.staff)
  const checked = await its.check(tx, by, input)
  const { id } = await tx
    .selectNoFrom(sql<string>`nextval(pg_get_serial_sequence('money_request', 'id'))`.as('id'))
    .executeTakeFirstOrThrow()
  if (checked.takesTwo || (await isAbove(tx, by.staff, checked))) {
    await write(tx, by.staff, its, { id, input, reason, checked, state: 'waiting', transactionIds: [] })
    await audit.note(tx, by.staff, from, {
      deed: 'wallet.ask',
      about: aboutOf(checked),
      reason,
      after: { ...said(checked), requestId: id },
    })
    return { isWaiting: true, transactionIds: [] }
  }
  const carried = await its.carryOut(tx, by, input, { id, by: { kind: 'staff', id: by.staff.id }, reason })
  if (carried instanceof Refusal) return { isWaiting: false, transactionIds: [] }
  const { transactionIds, note } = carried
  if (movesAny(checked)) await write(tx, by.staff, its, { id, input, reason, checked, state: 'done', transactionIds })
  await audit.note(tx, by.staff, from, { ...(reason && { reason }), ...note })
  return { isWaiting: false, transactionIds }
}

/** How much one member of staff may move alone: for one member within a day, and for all of them on one day. */
export function limitsOf(its: Pick<Settings, (typeof limitSettings)[number]>): Record<'alone' | 'aloneADay', Record<Currency, Minor>> {
  const { pointsAlone, yuanAlone, dailyApprovalThresholdPoints, dailyApprovalThresholdYuan } = its
  return {
    alone: { points: minorOf(pointsAlone), cny: minorOf(yuanAlone * 100) },
    aloneADay: { points: minorOf(dailyApprovalThresholdPoints), cny: minorOf(dailyApprovalThresholdYuan * 100) },
  }
}

export const limitSettings = ['pointsAlone', 'yuanAlone', 'dailyApprovalThresholdPoints', 'dailyApprovalThresholdYuan'] as const

/** What it is about, as the log names things. */
export function aboutOf({ memberId, topicId, reverses }: Pick<Checked, 'memberId' | 'topicId' | 'reverses'>): string {
  if (topicId) return `topic ${topicId}`
  return reverses ? `transaction ${reverses}` : `member ${memberId}`
}

/** How much, as the log says it. */
export function said({ points, cents }: Moved): Record<string, string> {
  return { ...(points !== 0n && { points: amountOut('points', points) }), ...(cents !== 0n && { cny: amountOut('cny', cents) }) }
}

/** What goes beyond another amount in either currency, whichever way it is moved. */
export function exceeds(one: Moved, other: Moved): boolean {
  return absolute(one.points) > absolute(other.points) || absolute(one.cents) > absolute(other.cents)
}

function movesAny({ points, cents }: Moved): boolean {
  return points !== 0n || cents !== 0n
}

/** This member of staff, with whatever else they do at the same time waiting: what they moved today is added up by one after the other. */
async function lockHand(tx: Db, { id }: Pick<Hand, 'id'>): Promise<void> {
  await tx.selectFrom('staff').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Whether this is more than one may still move alone today. What was reversed since counts, and what another agreed to does not. */
async function isAbove(tx: Db, { id }: Pick<Hand, 'id'>, moved: Moved): Promise<boolean> {
  const settings = await setting.current(tx, ...limitSettings, 'timeZone')
  const today = startIn(dayOf(sql`clock_timestamp()`, settings.timeZone), settings.timeZone)
  const done = await tx
    .selectFrom('money_request')
    .select(sql<string>`coalesce(sum(abs(points)), 0)`.as('points'))
    .select(sql<string>`coalesce(sum(abs(cents)), 0)`.as('cents'))
    .where('asked_by', '=', id)
    .where('state', '=', 'done')
    .where('decided_by', 'is', null)
    .where('asked_at', '>=', today)
    .executeTakeFirstOrThrow()
  const { points, cny } = limitsOf(settings).aloneADay
  const beyond = (amount: Minor, before: string, most: Minor) => amount !== 0n && BigInt(before) + absolute(amount) > most
  return beyond(moved.points, done.points, points) || beyond(moved.cents, done.cents, cny)
}

type Row = { id: string; input: unknown; reason: string; checked: Checked; state: 'waiting' | 'done'; transactionIds: readonly string[] }

async function write(tx: Db, by: Hand, { kind }: Pick<ByHand<never>, 'kind'>, row: Row): Promise<void> {
  const { id, input, reason, checked, state, transactionIds } = row
  const { points, cents, memberId = null, topicId = null, reverses = null, detail = {} } = checked
  const stands = { state, decided_at: state === 'done' ? sql<Date>`clock_timestamp()` : null, transaction_id: oneOf(transactionIds) }
  const about = { member_id: memberId, topic_id: topicId, reverses, points: String(points), cents: String(cents) }
  const kept = await tx
    .insertInto('money_request')
    .values({ id, kind, ...about, input: JSON.stringify(input), detail: JSON.stringify(detail), reason, asked_by: by.id, ...stands })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw RequestWaits()
}

/** The transaction, where it is one. */
export function oneOf(transactionIds: readonly string[]): string | null {
  return transactionIds.length === 1 ? (transactionIds[0] ?? null) : null
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? 0n - amount : amount
}
