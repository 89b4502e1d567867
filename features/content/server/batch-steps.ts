import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { few } from '#base/list.ts'
import { isAway, transact, type Database, type Db } from '#base/server/database.ts'
import { inTurns } from '#base/server/in-turns.ts'
import type { Staff } from '#base/server/route.ts'
import { UndoneAlready } from '#content/contract.ts'
import { moves, type MoveName } from '#content/move-contract.ts'
import { changed, deeds, lock, note, putAs, type Noted } from '#content/server/deeds.ts'
import type { Trace } from '#content/server/move.ts'
import { isAsLeft, standingOf, type Change, type Part } from '#content/server/standing.ts'
import { undoMove } from '#content/server/undo-move.ts'
import { deedNames, type DeedName, type Kind } from '#content/views.ts'
import { inAbsence } from '#staff/server/staff.ts'

/** How many are done in one transaction, so that nobody waits long for what it locks. */
export const atOnce = few

// The log says that they were many when they went.
const untold: Change = { before: {}, after: {} }

type Batch = NonNullable<Awaited<ReturnType<typeof take>>>
type Item = { id: string; before: unknown; after: unknown }
type Result = { id: string; change: Change | null; fault: string | null }

/** Goes on with all that is unfinished, whoever began it and wherever it stopped. */
export function goOn(database: Database): Promise<void> {
  return inTurns({ unfinished: () => unfinished(database), step: (id) => tryStep(database, id) })
}

/**
 * Does the next of a batch, or undoes them, and says so in the same transaction: what dies half-way is gone on with, and nothing is done
 * twice. False where there is nothing to do, or somebody else is at it.
 */
export async function step(tx: Db, batchId: string): Promise<boolean> {
  const batch = await take(tx, batchId)
  if (!batch) return false
  const by = await inAbsence(tx, batch.staff_id)
  if (!by?.staff.may(rightFor(batch.deed) ?? '')) return stop(tx, batchId, 'right')
  const found = await next(tx, batch)
  const results: Result[] = []
  for (const item of found.slice(0, atOnce)) results.push(await (batch.state === 'doing' ? doTo : undoTo)(tx, by, batch, item))
  await keep(tx, batch, results, { isLast: found.length <= atOnce })
  await tell(tx, by, batch, results)
  return true
}

/** Which right a batch asks for; null for what this version of the forum does not know. */
export function rightFor(deed: string): string | null {
  if (isMove(deed)) return 'content.edit'
  return isKnown(deed) ? deeds[deed].right : null
}

async function unfinished({ app }: Database): Promise<string[]> {
  const rows = await app.selectFrom('staff_batch').select('id').where('state', 'in', ['doing', 'undoing']).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

// What is broken in one batch is not tried for ever, nor keeps others waiting.
async function tryStep(database: Database, id: string): Promise<boolean> {
  try {
    return await transact(database, (tx) => step(tx, id))
  } catch (error) {
    if (!isAway(error)) await transact(database, (tx) => stop(tx, id, 'failure'))
    throw error
  }
}

function take(tx: Db, batchId: string) {
  return tx
    .selectFrom('staff_batch')
    .select(['id', 'kind', 'deed', 'state', 'reached', 'ip', 'tag_id'])
    .select(sql<string>`case state when 'undoing' then undone_by else staff_id end`.as('staff_id'))
    .select(sql<string | null>`case state when 'undoing' then undo_reason else reason end`.as('reason'))
    .where('id', '=', batchId)
    .where('state', 'in', ['doing', 'undoing'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** One more than are done at once, where there are. */
function next(tx: Db, { id, state, reached }: Batch): Promise<Item[]> {
  return tx
    .selectFrom('staff_batch_item')
    .select(['item_id as id', 'before', 'after'])
    .where('batch_id', '=', id)
    .where('item_id', '>', reached)
    .$if(state === 'undoing', (items) => items.where('before', 'is not', null).where('undone', 'is', null))
    .orderBy('item_id')
    .limit(atOnce + 1)
    .execute()
}

// What was so already is not counted as done.
async function doTo(tx: Db, by: Staff, { deed, reason, tag_id }: Batch, { id }: Item): Promise<Result> {
  const wish = { reason: reason ?? '', tagId: tag_id ?? undefined }
  const { done, fault } = await tryTo(() => changed(tx, by, deed as DeedName, id, wish))
  return { id, change: done, fault: done || fault ? fault : 'content.alreadySo' }
}

async function undoTo(tx: Db, by: Staff, { deed, kind }: Batch, { id, before, after }: Item): Promise<Result> {
  const change = { before: after as Part, after: before as Part }
  const { fault } = await tryTo(() => (isMove(deed) ? undoMove(tx, deed, id, after as Trace) : putBack(tx, by, { kind, id, ...change })))
  return { id, change: isMove(deed) ? untold : change, fault }
}

async function putBack(tx: Db, by: Staff, { kind, id, before, after }: Change & { kind: Kind; id: string }): Promise<void> {
  await lock(tx, kind, id)
  if (!isAsLeft(await standingOf(tx, kind, id), before)) throw UndoneAlready()
  await putAs(tx, by, kind, id, after)
}

async function tryTo<T>(deed: () => Promise<T>): Promise<{ done: T | null; fault: string | null }> {
  try {
    return { done: await deed(), fault: null }
  } catch (error) {
    if (error instanceof Refusal) return { done: null, fault: error.kind.code }
    throw error
  }
}

async function keep(tx: Db, { id, state, reached }: Batch, results: readonly Result[], { isLast }: { isLast: boolean }): Promise<void> {
  await (state === 'doing' ? keepDone(tx, id, results) : keepUndone(tx, id, results))
  const faults = results.filter(({ fault }) => fault).length
  const [well, badly] = state === 'doing' ? (['done', 'faults'] as const) : (['undone', 'left_alone'] as const)
  await tx
    .updateTable('staff_batch')
    .set((row) => ({ [well]: row(well, '+', results.length - faults), [badly]: row(badly, '+', faults) }))
    .set({ reached: results.at(-1)?.id ?? reached, ...(isLast && { state: state === 'doing' ? 'done' : 'undone', ended_at: sql`now()` }) })
    .where('id', '=', id)
    .execute()
}

async function keepDone(tx: Db, batchId: string, results: readonly Result[]): Promise<void> {
  const [before, after] = (['before', 'after'] as const).map((side) => results.map(({ change }) => change && JSON.stringify(change[side])))
  await sql`update staff_batch_item set fault = result.fault, before = result.before::jsonb, after = result.after::jsonb
    from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ fault }) => fault)}::text[], ${before}::text[], ${after}::text[])
      as result(id, fault, before, after)
    where batch_id = ${batchId} and item_id = result.id`.execute(tx)
}

async function keepUndone(tx: Db, batchId: string, results: readonly Result[]): Promise<void> {
  await sql`update staff_batch_item set why_left = result.fault, undone = case when result.fault is null then 'undone' else 'left' end
    from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ fault }) => fault)}::text[]) as result(id, fault)
    where batch_id = ${batchId} and item_id = result.id`.execute(tx)
}

async function tell(tx: Db, by: Staff, { deed, state, reason, ip }: Batch, results: readonly Result[]): Promise<void> {
  const name = (state === 'doing' ? deed : `${deed}.undo`) as Noted['name']
  const noted = results.flatMap(({ id, fault, change }) => (change && !fault ? [{ name, id, reason: reason ?? '', ...change }] : []))
  await note(tx, by, { ip }, ...noted)
}

// Whoever else may can undo it then: also where the undoing was stopped.
async function stop(tx: Db, batchId: string, why: 'right' | 'failure'): Promise<false> {
  await tx
    .updateTable('staff_batch')
    .set({ state: 'stopped', why_stopped: why, ended_at: sql`now()`, undone_at: null, undone_by: null })
    .where('id', '=', batchId)
    .where('state', 'in', ['doing', 'undoing'])
    .execute()
  return false
}

function isMove(deed: string): deed is MoveName {
  return (moves as readonly string[]).includes(deed)
}

function isKnown(deed: string): deed is DeedName {
  return (deedNames as readonly string[]).includes(deed)
}
