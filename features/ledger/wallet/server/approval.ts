import { sql } from 'kysely'
import type { z } from 'zod'
import * as audit from '#audit/server/audit.ts'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, toMinor, RequestWaits, type Currency, type Minor } from '#wallet/contract.ts'
import type { Actor } from '#wallet/server/post.ts'
import type { RequestDetail, RequestKind } from '#wallet/request-contract.ts'

/** Amounts; negative if an adjustment takes them from a member. */
export type MovedAmounts = { points: Minor; cents: Minor }

/** A manual transaction as it would be booked now. */
export type PlannedMove = MovedAmounts & {
  memberId?: string
  topicId?: string
  reverses?: string
  detail?: RequestDetail
  /** Approval is needed even within the day's limit. */
  needsApproval?: boolean
}

/** The number of the request, the actor in the ledger, and the reason. */
export type ManualCause = { id: string; by: Actor; reason: string }

/** The transactions booked, if they are the request's own, and the entry for the audit log. */
export type ExecutionResult = { transactionIds: readonly string[]; note: audit.AuditEntry }

/** One kind of manual transaction. */
export type ManualMove<Input> = {
  kind: RequestKind
  input: z.ZodType<Input>
  /**
   * Refuses a request that is impossible now or not allowed to this member of staff, under locks. Runs on the request and again on
   * approval.
   */
  check(tx: Db, by: Staff, input: Input): Promise<PlannedMove>
  /** Returns a refusal if nothing is left to do, such as after a concurrent reversal. */
  execute(tx: Db, by: Staff, input: Input, cause: ManualCause): Promise<ExecutionResult | Refusal>
}

/** No transactions while it waits, or if nothing was left to do. */
export type ApprovalResult = { isWaiting: boolean; transactionIds: readonly string[] }

/** Books a manual transaction within the limits immediately; above them the request waits for approval. */
export async function moveByHand<Input>(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  move: ManualMove<Input>,
  { input, reason }: { input: Input; reason: string },
): Promise<ApprovalResult> {
  await lockStaff(tx, by.staff)
  const checked = await move.check(tx, by, input)
  const { id } = await tx
    .selectNoFrom(sql<string>`nextval(pg_get_serial_sequence('money_request', 'id'))`.as('id'))
    .executeTakeFirstOrThrow()
  if (checked.needsApproval || (await isAboveDailyLimit(tx, by.staff, checked))) {
    await saveRequest(tx, by.staff, move, { id, input, reason, checked, state: 'waiting', transactionIds: [] })
    await audit.note(tx, by.staff, client, {
      action: 'wallet.ask',
      about: auditSubject(checked),
      reason,
      after: { ...auditAmounts(checked), requestId: id },
    })
    return { isWaiting: true, transactionIds: [] }
  }
  const result = await move.execute(tx, by, input, { id, by: { kind: 'staff', id: by.staff.id }, reason })
  if (result instanceof Refusal) return { isWaiting: false, transactionIds: [] }
  const { transactionIds, note } = result
  if (!movesAny(checked)) await audit.note(tx, by.staff, client, { ...(reason && { reason }), ...note })
  else {
    await saveRequest(tx, by.staff, move, { id, input, reason, checked, state: 'done', transactionIds })
    const after = { ...(note.after as object | undefined), requestId: id }
    await audit.note(tx, by.staff, client, { ...(reason && { reason }), ...note, after })
  }
  return { isWaiting: false, transactionIds }
}

/** Limits of one member of staff without approval: for one member within 24 hours, and for all members on one day. */
export function limitsOf(move: Pick<Settings, (typeof limitSettings)[number]>): Record<'alone' | 'aloneADay', Record<Currency, Minor>> {
  const { approvalThresholdPoints, approvalThresholdYuan, dailyApprovalThresholdPoints, dailyApprovalThresholdYuan } = move
  return {
    alone: { points: toMinor(approvalThresholdPoints), cny: toMinor(approvalThresholdYuan * 100) },
    aloneADay: { points: toMinor(dailyApprovalThresholdPoints), cny: toMinor(dailyApprovalThresholdYuan * 100) },
  }
}

export const limitSettings = [
  'approvalThresholdPoints',
  'approvalThresholdYuan',
  'dailyApprovalThresholdPoints',
  'dailyApprovalThresholdYuan',
] as const

export function auditSubject({ memberId, topicId, reverses }: Pick<PlannedMove, 'memberId' | 'topicId' | 'reverses'>): string {
  if (topicId) return `topic ${topicId}`
  return reverses ? `transaction ${reverses}` : `member ${memberId}`
}

export function auditAmounts({ points, cents }: MovedAmounts): Record<string, string> {
  return {
    ...(points !== 0n && { points: serializeAmount('points', points) }),
    ...(cents !== 0n && { cny: serializeAmount('cny', cents) }),
  }
}

/** Whether the first is larger in either currency, ignoring signs. */
export function exceeds(one: MovedAmounts, other: MovedAmounts): boolean {
  return absolute(one.points) > absolute(other.points) || absolute(one.cents) > absolute(other.cents)
}

function movesAny({ points, cents }: MovedAmounts): boolean {
  return points !== 0n || cents !== 0n
}

/** Requests of one member of staff are serialized on their row, so that each sees the sum of the earlier ones. */
async function lockStaff(tx: Db, { id }: Pick<StaffActor, 'id'>): Promise<void> {
  await tx.selectFrom('staff').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

// A day is longer only after a change of the time zone; the index needs a bound.
const maxDayLength = '7 days'

/** Whether the day's sum would exceed the limit. Reversed transactions still count, approved ones do not. */
async function isAboveDailyLimit(tx: Db, { id }: Pick<StaffActor, 'id'>, amounts: MovedAmounts): Promise<boolean> {
  const settings = await setting.current(tx, ...limitSettings)
  const done = await tx
    .selectFrom('money_request')
    .select(sql<string>`coalesce(sum(abs(points)), 0)`.as('points'))
    .select(sql<string>`coalesce(sum(abs(cents)), 0)`.as('cents'))
    .where('asked_by', '=', id)
    .where('state', '=', 'done')
    .where('decided_by', 'is', null)
    .where('asked_at', '>', sql<Date>`clock_timestamp() - ${maxDayLength}::interval`)
    .where(sql<boolean>`site_day(asked_at) = site_day(clock_timestamp())`)
    .executeTakeFirstOrThrow()
  const { points, cny } = limitsOf(settings).aloneADay
  const beyond = (amount: Minor, before: string, most: Minor) => amount !== 0n && BigInt(before) + absolute(amount) > most
  return beyond(amounts.points, done.points, points) || beyond(amounts.cents, done.cents, cny)
}

type Row = {
  id: string
  input: unknown
  reason: string
  checked: PlannedMove
  state: 'waiting' | 'done'
  transactionIds: readonly string[]
}

async function saveRequest(tx: Db, by: StaffActor, { kind }: Pick<ManualMove<never>, 'kind'>, row: Row): Promise<void> {
  const { id, input, reason, checked, state, transactionIds } = row
  const { points, cents, memberId = null, topicId = null, reverses = null, detail = {} } = checked
  const stateColumns = {
    state,
    decided_at: state === 'done' ? sql<Date>`clock_timestamp()` : null,
    transaction_id: onlyOne(transactionIds),
  }
  const about = { member_id: memberId, topic_id: topicId, reverses, points: String(points), cents: String(cents) }
  const inserted = await tx
    .insertInto('money_request')
    .values({ id, kind, ...about, input: JSON.stringify(input), detail: JSON.stringify(detail), reason, asked_by: by.id, ...stateColumns })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw RequestWaits()
}

/** The transaction, if there is exactly one. */
export function onlyOne(transactionIds: readonly string[]): string | null {
  return transactionIds.length === 1 ? (transactionIds[0] ?? null) : null
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? 0n - amount : amount
}
