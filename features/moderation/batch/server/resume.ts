import { sql } from 'kysely'
import type { AuditAction } from '#audit/contract.ts'
import * as audit from '#audit/server/audit.ts'
import { Refusal } from '#base/contract.ts'
import { maxWithoutReauth } from '#base/list.ts'
import { isUnavailable, transact, type Database, type Db } from '#base/server/database/database.ts'
import { resumeUnfinished } from '#base/server/jobs/resume-unfinished.ts'
import { withSavepoint } from '#base/server/database/with-savepoint.ts'
import type { Staff } from '#base/server/http/route.ts'
import { allThings, type Change, type ChangedItem, type Item, type BulkTarget, type BulkInput } from '#batch/server/bulk-target.ts'
import { withoutSession } from '#staff/server/staff.ts'

/** The job that resumes large batches. Queues in the database have this name. */
export const resumeJob = { name: 'content-batch' }

/** Items per transaction, to keep locks short. */
const itemsPerStep = maxWithoutReauth

// An earlier entry of the log records them all together.
const nothingToLog: Change = { before: {}, after: {} }

type Batch = NonNullable<Awaited<ReturnType<typeof lockBatch>>>
type StoredChange = { id: string; before: unknown; after: unknown }
type Result = { id: string; change: Change | null; fault: string | null }

/** Resumes all that is unfinished, whoever began it and wherever it stopped. */
export function resume(database: Database): Promise<void> {
  return resumeUnfinished({ unfinished: () => unfinished(database), step: (id) => tryStep(database, id) })
}

/**
 * Processes the next items of a batch, or of its undo, and stores the progress in the same transaction: an interrupted batch resumes, and
 * no item is processed twice. False when there is nothing to do, or another process is at it.
 */
export async function step(tx: Db, batchId: string): Promise<boolean> {
  const batch = await lockBatch(tx, batchId)
  const things = batch && allThings(tx)[batch.kind]
  if (!things) return false
  const by = await withoutSession(tx, batch.staff_id)
  if (!by?.staff.may(things.requirements(batch.action)?.right ?? '')) return stop(tx, batchId, 'right')
  const items = await next(tx, batch)
  const results: Result[] = []
  for (const item of items.slice(0, itemsPerStep))
    results.push(await (batch.state === 'doing' ? applyTo : undoOf)(tx, by, things, batch, item))
  await saveResults(tx, batch, results, { isLast: items.length <= itemsPerStep })
  const well = results.flatMap(succeeded)
  await things.notify?.(tx, batch, well)
  await note(tx, by, things, batch, well)
  return true
}

async function unfinished({ app }: Database): Promise<string[]> {
  const rows = await app.selectFrom('staff_batch').select('id').where('state', 'in', ['doing', 'undoing']).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

// A broken batch is not retried for ever, and does not hold up the others.
async function tryStep(database: Database, id: string): Promise<boolean> {
  try {
    return await transact(database, (tx) => step(tx, id))
  } catch (error) {
    if (!isUnavailable(error)) await transact(database, (tx) => stop(tx, id, 'failure'))
    throw error
  }
}

function lockBatch(tx: Db, batchId: string) {
  return tx
    .selectFrom('staff_batch')
    .select(['id', 'kind', 'action', 'state', 'reached', 'ip', 'wish'])
    .select(sql<string>`case state when 'undoing' then undone_by else staff_id end`.as('staff_id'))
    .select(sql<string | null>`case state when 'undoing' then undo_reason else reason end`.as('reason'))
    .where('id', '=', batchId)
    .where('state', 'in', ['doing', 'undoing'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/**
 * One item more than a transaction processes, if there is one. An undo runs in reverse order, since later items may depend on earlier ones.
 */
function next(tx: Db, { id, state, reached }: Batch): Promise<StoredChange[]> {
  return tx
    .selectFrom('staff_batch_item')
    .select(['item_id as id', 'before', 'after'])
    .where('batch_id', '=', id)
    .$if(state === 'doing', (items) => items.where('item_id', '>', reached))
    .$if(state === 'undoing', (items) => items.where('before', 'is not', null).where('undone', 'is', null))
    .orderBy('item_id', state === 'doing' ? 'asc' : 'desc')
    .limit(itemsPerStep + 1)
    .execute()
}

// An unchanged item is not counted.
async function applyTo(tx: Db, by: Staff, target: BulkTarget, batch: Batch, { id }: StoredChange): Promise<Result> {
  const done = await withSavepoint(tx, () => target.apply(tx, by, itemOf(batch, id)))
  if (done instanceof Refusal) return { id, change: null, fault: done.kind.code }
  return { id, change: done, fault: done ? null : 'batch.alreadySo' }
}

async function undoOf(tx: Db, by: Staff, target: BulkTarget, batch: Batch, { id, before, after }: StoredChange): Promise<Result> {
  const change = { before: before as object, after: after as object }
  const undone = await withSavepoint(tx, () => target.undo(tx, by, { ...itemOf(batch, id), ...change }))
  const fault = undone instanceof Refusal ? undone.kind.code : null
  const isLogged = target.requirements(batch.action)?.isOneGo !== true
  return { id, change: isLogged ? { before: change.after, after: change.before } : nothingToLog, fault }
}

function itemOf({ kind, action, reason, wish }: Batch, id: string): Item {
  return { kind, action, id, input: { ...(wish as Partial<BulkInput>), reason: reason ?? '' } }
}

async function saveResults(
  tx: Db,
  { id, state, reached }: Batch,
  results: readonly Result[],
  { isLast }: { isLast: boolean },
): Promise<void> {
  await (state === 'doing' ? saveApplied(tx, id, results) : saveUndone(tx, id, results))
  const faults = results.filter(({ fault }) => fault).length
  const [well, badly] = state === 'doing' ? (['done', 'faults'] as const) : (['undone', 'left_alone'] as const)
  await tx
    .updateTable('staff_batch')
    .set((row) => ({ [well]: row(well, '+', results.length - faults), [badly]: row(badly, '+', faults) }))
    .set({ reached: (state === 'doing' && results.at(-1)?.id) || reached })
    .$if(isLast, (batch) => batch.set({ state: state === 'doing' ? 'done' : 'undone', ended_at: sql`now()` }))
    .where('id', '=', id)
    .execute()
}

async function saveApplied(tx: Db, batchId: string, results: readonly Result[]): Promise<void> {
  const [before, after] = (['before', 'after'] as const).map((side) => results.map(({ change }) => change && JSON.stringify(change[side])))
  await sql`update staff_batch_item set fault = result.fault, before = result.before::jsonb, after = result.after::jsonb
    from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ fault }) => fault)}::text[], ${before}::text[], ${after}::text[])
      as result(id, fault, before, after)
    where batch_id = ${batchId} and item_id = result.id`.execute(tx)
}

async function saveUndone(tx: Db, batchId: string, results: readonly Result[]): Promise<void> {
  await sql`update staff_batch_item set why_left = result.fault, undone = case when result.fault is null then 'undone' else 'left' end
    from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ fault }) => fault)}::text[]) as result(id, fault)
    where batch_id = ${batchId} and item_id = result.id`.execute(tx)
}

function succeeded({ id, fault, change }: Result): ChangedItem[] {
  return change && !fault ? [{ id, ...change }] : []
}

/** One log entry per item. */
async function note(
  tx: Db,
  by: Staff,
  target: BulkTarget,
  { kind, action, state, reason, ip }: Batch,
  done: readonly ChangedItem[],
): Promise<void> {
  const abouts = await target.about?.(
    tx,
    done.map(({ id }) => id),
  )
  const name = (state === 'doing' ? action : `${action}.undo`) as AuditAction
  await audit.noteAll(
    tx,
    by.staff,
    { ip },
    done.map(({ id, ...change }) => ({ action: name, about: abouts?.get(id) ?? `${kind} ${id}`, ...change, ...(reason && { reason }) })),
  )
}

// Other staff with the right can undo it then, also where the undo was stopped.
async function stop(tx: Db, batchId: string, why: 'right' | 'failure'): Promise<false> {
  await tx
    .updateTable('staff_batch')
    .set({ state: 'stopped', why_stopped: why, ended_at: sql`now()`, undone_at: null, undone_by: null })
    .where('id', '=', batchId)
    .where('state', 'in', ['doing', 'undoing'])
    .execute()
  return false
}
