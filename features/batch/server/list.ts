import { sql } from 'kysely'
import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { few } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { say, type Language } from '#base/server/words.ts'
import {
  things,
  mostFaults,
  undoDays,
  type batches,
  type batchesAtWork,
  type batchLeft,
  type BatchView,
  type Thing,
} from '#batch/contract.ts'
import { allThings, type AllThings, type Called, type Narrowed, type Things } from '#batch/server/things.ts'

const id = sql`staff_batch.id`
const keys = { made: { by: sql`staff_batch.made_at`, as: 'timestamptz' } } as const
export const isYoung = sql<boolean>`staff_batch.made_at > now() - ${undoDays} * interval '1 day'`
/** An undo that skipped items may be repeated: the obstacle may be gone. */
export const mayBeUndone = sql<boolean>`(staff_batch.undone_at is null or (staff_batch.state = 'undone' and staff_batch.left_alone > 0))`
const shownMinutes = 5
const narrowed = z.record(z.string(), z.string()).nullable()

export async function list(db: Db, by: Staff, { kind, ...asked }: ParsedInput<typeof batches>): Promise<Output<typeof batches>> {
  const all = allThings(db)
  const wanted = seenBy(by, all).filter((one) => kind === undefined || one === kind)
  const page = await paged(db, every(db).where('kind', '=', anyOf(wanted)), { ...asked, keys, id })
  return { ...page, rows: await viewsOf(db, page.rows, all) }
}

export async function one(db: Db, things: Things, batchId: string): Promise<BatchView> {
  const row = await every(db).where('staff_batch.id', '=', batchId).executeTakeFirstOrThrow()
  const filter = narrowed.parse(row.filter)
  return viewOf(row, things, filter, await things.calledIn(db, filter ? [filter] : []))
}

/** The large ones that go on, and those of somebody's own that have just ended. */
export async function atWork(db: Db, by: Staff, kind: Thing): Promise<Output<typeof batchesAtWork>> {
  const all = allThings(db)
  if (!seenBy(by, all).includes(kind)) return { batches: [] }
  const isFresh = sql<boolean>`ended_at > now() - ${shownMinutes} * interval '1 minute'`
  const rows = await every(db)
    .where('total', '>', few)
    .where('kind', '=', kind)
    .where((row) => row.or([row('state', 'in', ['doing', 'undoing']), row.and([row('staff_id', '=', by.staff.id), isFresh])]))
    .orderBy('staff_batch.id', 'desc')
    .limit(20)
    .execute()
  const shown = rows.filter(({ deed }) => !all[kind].need(deed)?.isOneGo)
  return { batches: await viewsOf(db, shown, all) }
}

export async function leftFor(db: Db, by: Staff, batchId: string, language: Language): Promise<Output<typeof batchLeft>> {
  const batch = await db.selectFrom('staff_batch').select('kind').where('id', '=', batchId).executeTakeFirst()
  const all = allThings(db)
  if (!batch || !seenBy(by, all).includes(batch.kind)) throw Missing()
  return left(db, all[batch.kind], batchId, language)
}

/** The items that failed, and those that the undo skipped. */
export async function left(db: Db, things: Things, batchId: string, language: Language): Promise<Output<typeof batchLeft>> {
  const of = async (column: 'fault' | 'why_left') => {
    const rows = await db
      .selectFrom('staff_batch_item')
      .select(['item_id as id', `${column} as why`])
      .where('batch_id', '=', batchId)
      .where(column, 'is not', null)
      .orderBy('item_id')
      .limit(mostFaults)
      .execute()
    const names = await things.called?.(
      db,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ id: row.id, name: names?.get(row.id) ?? null, why: say(language, row.why ?? '') }))
  }
  return { faults: await of('fault'), left: await of('why_left') }
}

/** The condition that an item is in a batch, for a query of ids; ids are unique by kind only. */
export function doneBy(kind: Thing, batchId: string) {
  return sql`select item_id from staff_batch_item join staff_batch on staff_batch.id = batch_id
    where batch_id = ${batchId} and fault is null and staff_batch.kind = ${kind}`
}

function seenBy({ staff }: Staff, all: AllThings): Thing[] {
  return things.filter((kind) => staff.may(all[kind].seenWith))
}

function every(db: Db) {
  return db
    .selectFrom('staff_batch')
    .innerJoin('staff', 'staff.id', 'staff_batch.staff_id')
    .leftJoin('staff as undoer', 'undoer.id', 'staff_batch.undone_by')
    .select(['staff_batch.id', 'staff.account', 'kind', 'deed', 'reason', 'staff_batch.made_at', 'undone_at', 'undoer.account as undoneBy'])
    .select(['state', 'why_stopped as whyStopped', 'total', 'done', 'faults', 'undone', 'left_alone as left', isYoung.as('is_young')])
    .select([mayBeUndone.as('may_be_undone'), 'filter'])
}

type Row = Awaited<ReturnType<ReturnType<typeof every>['execute']>>[number]

/** Grouped by kind, so that the names in filters are looked up once. */
async function viewsOf(db: Db, rows: readonly Row[], all: AllThings): Promise<BatchView[]> {
  const read = rows.map((row) => ({ row, filter: narrowed.parse(row.filter) }))
  const views = new Map<string, BatchView>()
  for (const [find, its] of Map.groupBy(read, ({ row }) => all[row.kind].calledIn)) {
    const filters = its.map(({ filter }) => filter).filter((filter) => filter !== null)
    const called = await find(db, filters)
    for (const { row, filter } of its) views.set(row.id, viewOf(row, all[row.kind], filter, called))
  }
  return rows.flatMap((row) => views.get(row.id) ?? [])
}

function viewOf(
  { made_at, undone_at, is_young, may_be_undone, ...row }: Row,
  things: Things,
  filter: Narrowed | null,
  called: Called,
): BatchView {
  const isFinal = things.need(row.deed)?.isFinal === true
  return {
    ...row,
    madeAt: made_at.toISOString(),
    undoneAt: undone_at?.toISOString() ?? null,
    canUndo: !isFinal && may_be_undone && is_young && (row.done > 0 || row.state === 'doing'),
    isFinal,
    filter: filter && Object.entries(filter).map(([name, value]) => ({ name, value, called: called(filter, name) })),
  }
}
