import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth } from '#base/list.ts'
import type { Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import { TooLateToUndo, UndoneAlready, type BulkAnswer, type BulkTargetKind, type undoBatch } from '#batch/contract.ts'
import { isYoung, skipped, mayBeUndone, find } from '#batch/server/list.ts'
import { resumeJob, step } from '#batch/server/resume.ts'
import { allThings, type BulkTarget, type BulkInput } from '#batch/server/bulk-target.ts'

export { inBatch, find } from '#batch/server/list.ts'
export { resume, step } from '#batch/server/resume.ts'
export type { BulkTargets, FilterNames, Change, Item, ListFilters, BulkActionRequirements, BulkTarget } from '#batch/server/bulk-target.ts'

type BulkRequest = {
  kind: BulkTargetKind
  action: string
  ids: readonly string[]
  input: BulkInput
  /** The filters, where all matches are selected. */
  filter?: Record<string, string> | undefined
}

/** Applies an action to many items, each of which may fail by itself; beyond a few, a job does it. */
export async function begin(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  target: BulkTarget,
  { kind, action, ids, input, filter }: BulkRequest,
): Promise<BulkAnswer> {
  const need = target.requirements(action)
  if (!need) throw new Error(`Nobody knows how to do ${action} to many`)
  staff(need.right, { proved: need.isProved === true || ids.length > maxWithoutReauth })(by)
  const batchId = await insertBatch(tx, by, client, { kind, action, ids, input, filter })
  await start(tx, batchId, ids.length)
  const { reason, ...told } = input
  const after = { action, count: ids.length, ...told, ...(filter && { filter }) }
  await audit.note(tx, by.staff, client, { action: 'batch.begin', about: `batch ${batchId}`, ...(reason && { reason }), after })
  const { faults } = await skipped(tx, target, batchId, client.language)
  return { batch: await find(tx, target, batchId), faults }
}

/** Undoes each item that is still in the state that the batch left. */
export async function undo(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { batchId, reason }: ParsedInput<typeof undoBatch>,
): Promise<Answer<typeof undoBatch>> {
  const { target, count } = await lockForUndo(tx, by, batchId)
  await tx
    .updateTable('staff_batch_item')
    .set({ undone: null, why_left: null })
    .where('batch_id', '=', batchId)
    .where('undone', '=', 'left')
    .execute()
  await tx
    .updateTable('staff_batch')
    .set({ state: 'undoing', undone_at: sql`now()`, undone_by: by.staff.id, undo_reason: reason || null, ip: client.ip })
    .set({ reached: '0', why_stopped: null, left_alone: 0 })
    .where('id', '=', batchId)
    .execute()
  await start(tx, batchId, count)
  await audit.note(tx, by.staff, client, { action: 'batch.undo', about: `batch ${batchId}`, ...(reason && { reason }) })
  return { batch: await find(tx, target, batchId), left: (await skipped(tx, target, batchId, client.language)).left }
}

type CompletedAction = {
  kind: BulkTargetKind
  action: string
  reason: string
  /** The number of items. */
  count: number
  /** The items and their resulting state, for the undo. */
  items: readonly { id: string; after: object }[]
}

/** Records a completed bulk action in its transaction, so that it can be undone like a batch. Returns its id. */
export async function recordCompleted(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { kind, action, reason, count, items }: CompletedAction,
): Promise<string> {
  const { id: batch_id } = await tx
    .insertInto('staff_batch')
    .values({ staff_id: by.staff.id, kind, action, reason: reason || null, ip: client.ip, total: count, done: count, ended_at: sql`now()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('staff_batch_item')
    .values(items.map(({ id: item_id, after }) => ({ batch_id, item_id, before: '{}', after: JSON.stringify(after) })))
    .execute()
  return batch_id
}

async function start(tx: Db, batchId: string, count: number): Promise<void> {
  if (count <= maxWithoutReauth) await step(tx, batchId)
  else await runSoon(tx, resumeJob)
}

async function insertBatch(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { kind, action, ids, input: { reason, ...wish }, filter }: BulkRequest,
): Promise<string> {
  const { id } = await tx
    .insertInto('staff_batch')
    .values({
      staff_id: by.staff.id,
      kind,
      action,
      reason: reason || null,
      wish: JSON.stringify(wish),
      ip: client.ip,
      filter: filter ? JSON.stringify(filter) : null,
      state: 'doing',
      total: ids.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into staff_batch_item (batch_id, item_id) select ${id}, unnest(${ids}::bigint[])`.execute(tx)
  return id
}

/** Of what it was, and how many there are to undo. */
async function lockForUndo(tx: Db, by: Staff, batchId: string): Promise<{ target: BulkTarget; count: number }> {
  const items = sql<number>`(select count(*)::int from staff_batch_item where batch_id = staff_batch.id and before is not null
    and undone is distinct from 'undone')`
  const batch = await tx
    .selectFrom('staff_batch')
    .select(['kind', 'action', mayBeUndone.as('may_be_undone'), isYoung.as('is_young'), items.as('items')])
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  const things = batch && allThings(tx)[batch.kind]
  const need = things?.requirements(batch?.action ?? '')
  if (!batch || !things || !need || need.isFinal) throw Missing()
  staff(need.right, { proved: need.isProved === true })(by)
  if (!batch.may_be_undone) throw UndoneAlready()
  if (!batch.is_young) throw TooLateToUndo()
  return { target: things, count: batch.items }
}
