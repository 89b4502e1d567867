import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, Refusal, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { paged } from '#base/server/paged.ts'
import { staff, type From, type Staff } from '#base/server/route.ts'
import { say } from '#base/server/words.ts'
import { TooLateToUndo, UndoneAlready, type batches, type doAtOnce, type undoBatch } from '#content/contract.ts'
import { moves, type MoveName } from '#content/move-contract.ts'
import { changed, deeds, kindOf, lock, note, putAs } from '#content/server/deeds.ts'
import type { Trace } from '#content/server/move.ts'
import { isAsLeft, standingOf, type Change, type Part } from '#content/server/standing.ts'
import { undoMove } from '#content/server/undo-move.ts'
import { deedNames, few, undoDays, type DeedName, type Kind } from '#content/views.ts'

// The log says that they were many when they went.
const untold: Change = { before: {}, after: {} }

type Item = { id: string; change: Change | null; fault: string | null }

/** Does one deed to many things, each of which may refuse for itself. */
export async function begin(tx: Db, by: Staff, from: From, asked: Taken<typeof doAtOnce>): Promise<Output<typeof doAtOnce>> {
  const { deed, ids, reason } = asked
  staff(deeds[deed].right, { proved: ids.length > few })(by)
  const items: Item[] = []
  for (const id of inOrder(ids)) items.push(await doTo(tx, by, asked, id))
  const batchId = await keep(tx, by, asked, items)
  for (const { id, change } of items) if (change) await note(tx, by, from, { name: deed, id, reason, ...change })
  const faults = items.flatMap(({ id, fault }) => (fault ? [{ id, why: say(from.language, fault) }] : []))
  return { batchId, done: items.length - faults.length, faults }
}

// What was so already is not counted as done.
async function doTo(tx: Db, by: Staff, { deed, tagId, reason }: Taken<typeof doAtOnce>, id: string): Promise<Item> {
  const { change, fault } = await tryTo(() => changed(tx, by, deed, id, { reason, tagId }))
  return { id, change, fault: change || fault ? fault : 'content.alreadySo' }
}

/** Undoes what still stands as the batch left it. */
export async function undo(tx: Db, by: Staff, from: From, { batchId, reason }: Taken<typeof undoBatch>): Promise<Output<typeof undoBatch>> {
  const { kind, deed } = await open(tx, by, batchId)
  const rows = await tx
    .selectFrom('staff_batch_item')
    .select(['item_id as id', 'before', 'after'])
    .where('batch_id', '=', batchId)
    .where('before', 'is not', null)
    .orderBy('item_id')
    .execute()
  const results: { id: string; fault: string | null; change: Change }[] = []
  for (const { id, before, after } of rows) {
    const change = { before: after as Part, after: before as Part }
    const { fault } = await tryTo(() => (isMove(deed) ? undoMove(tx, deed, id, after as Trace) : putBack(tx, by, { kind, id, ...change })))
    results.push({ id, fault, change: isMove(deed) ? untold : change })
  }
  await markUndone(tx, by, batchId, results)
  for (const { id, fault, change } of results) if (!fault) await note(tx, by, from, { name: `${deed}.undo`, id, reason, ...change })
  await audit.note(tx, by.staff, from, { deed: 'batch.undo', about: `batch ${batchId}`, ...(reason && { reason }) })
  const left = results.flatMap(({ id, fault }) => (fault ? [{ id, why: say(from.language, fault) }] : []))
  return { undone: results.length - left.length, left }
}

const keys = { made: { by: sql`staff_batch.made_at`, as: 'timestamptz' } } as const
// What was moved together is one item, which names all that went.
const done = sql<number>`(select coalesce(sum(coalesce(jsonb_array_length(after -> 'comments'), 1)), 0)::int
  from staff_batch_item where batch_id = staff_batch.id and fault is null)`
const faults = sql<number>`(select count(*)::int from staff_batch_item where batch_id = staff_batch.id and fault is not null)`
const isYoung = sql<boolean>`staff_batch.made_at > now() - ${undoDays} * interval '1 day'`

export async function list(db: Db, asked: Taken<typeof batches>): Promise<Output<typeof batches>> {
  const { kind } = asked
  const query = db
    .selectFrom('staff_batch')
    .innerJoin('staff', 'staff.id', 'staff_batch.staff_id')
    .leftJoin('staff as undoer', 'undoer.id', 'staff_batch.undone_by')
    .select(['staff_batch.id', 'staff.account', 'kind', 'deed', 'reason', 'staff_batch.made_at', 'undone_at', 'undoer.account as undoneBy'])
    .select([done.as('done'), faults.as('faults'), isYoung.as('is_young')])
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? 'topic'))
  const { rows, ...page } = await paged(db, query, { ...asked, keys, id: sql`staff_batch.id` })
  return {
    ...page,
    rows: rows.map(({ made_at, undone_at, is_young, ...row }) => ({
      ...row,
      madeAt: made_at.toISOString(),
      undoneAt: undone_at?.toISOString() ?? null,
      canUndo: undone_at === null && is_young,
    })),
  }
}

async function tryTo<T>(deed: () => Promise<T>): Promise<{ change: T | null; fault: string | null }> {
  try {
    return { change: await deed(), fault: null }
  } catch (error) {
    if (error instanceof Refusal) return { change: null, fault: error.kind.code }
    throw error
  }
}

async function putBack(tx: Db, by: Staff, { kind, id, before, after }: Change & { kind: Kind; id: string }): Promise<void> {
  await lock(tx, kind, id)
  if (!isAsLeft(await standingOf(tx, kind, id), before)) throw UndoneAlready()
  await putAs(tx, by, kind, id, after)
}

async function keep(tx: Db, by: Staff, { deed, reason }: Taken<typeof doAtOnce>, items: readonly Item[]): Promise<string> {
  const { id } = await tx
    .insertInto('staff_batch')
    .values({ staff_id: by.staff.id, kind: kindOf(deed), deed, reason: reason || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('staff_batch_item')
    .values(
      items.map((item) => ({
        batch_id: id,
        item_id: item.id,
        fault: item.fault,
        before: item.change && JSON.stringify(item.change.before),
        after: item.change && JSON.stringify(item.change.after),
      })),
    )
    .execute()
  return id
}

async function open(tx: Db, by: Staff, batchId: string): Promise<{ kind: Kind; deed: DeedName | MoveName }> {
  const batch = await tx
    .selectFrom('staff_batch')
    .select(['kind', 'deed', 'undone_at', isYoung.as('is_young')])
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  if (!batch || !(isKnown(batch.deed) || isMove(batch.deed))) throw Missing()
  staff(isMove(batch.deed) ? 'content.edit' : deeds[batch.deed].right)(by)
  if (batch.undone_at) throw UndoneAlready()
  if (!batch.is_young) throw TooLateToUndo()
  return { kind: batch.kind, deed: batch.deed }
}

async function markUndone(tx: Db, by: Staff, batchId: string, results: readonly { id: string; fault: string | null }[]): Promise<void> {
  await tx
    .updateTable('staff_batch')
    .set({ undone_at: sql`now()`, undone_by: by.staff.id })
    .where('id', '=', batchId)
    .execute()
  const [ids, undone] = [results.map(({ id }) => id), results.map(({ fault }) => (fault ? 'left' : 'undone'))]
  await sql`
    update staff_batch_item set undone = result.undone from unnest(${ids}::bigint[], ${undone}::text[]) as result(id, undone)
    where batch_id = ${batchId} and item_id = result.id`.execute(tx)
}

function isMove(deed: string): deed is MoveName {
  return (moves as readonly string[]).includes(deed)
}

function isKnown(deed: string): deed is DeedName {
  return (deedNames as readonly string[]).includes(deed)
}

// In one order, so that two batches over the same things wait for one another, and not in a circle.
function inOrder(ids: readonly string[]): string[] {
  return [...new Set(ids)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
}
