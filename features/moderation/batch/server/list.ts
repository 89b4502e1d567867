import { sql } from 'kysely'
import { z } from 'zod'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { say, type Language } from '#base/server/words.ts'
import {
  bulkTargetKinds,
  maxFaults,
  undoDays,
  type batches,
  type batchesAtWork,
  type batchLeft,
  type BatchView,
  type BulkTargetKind,
} from '#batch/contract.ts'
import { allThings, type BulkTargets, type FilterNames, type ListFilters, type BulkTarget } from '#batch/server/bulk-target.ts'

type BatchRow = z.input<typeof BatchView>

const id = sql`staff_batch.id`
const keys = { made: { by: sql`staff_batch.made_at`, as: 'timestamptz' } } as const
export const isYoung = sql<boolean>`staff_batch.made_at > now() - ${undoDays} * interval '1 day'`
/** An undo that skipped items may be repeated: the obstacle may be gone. */
export const mayBeUndone = sql<boolean>`(staff_batch.undone_at is null or (staff_batch.state = 'undone' and staff_batch.left_alone > 0))`
const shownMinutes = 5
const filterSchema = z.record(z.string(), z.string()).nullable()

export async function list(db: Db, by: Staff, { kind, ...asked }: ParsedInput<typeof batches>): Promise<Answer<typeof batches>> {
  const all = allThings(db)
  const kinds = visibleKinds(by, all).filter((one) => kind === undefined || one === kind)
  const page = await paged(db, batchRows(db).where('kind', '=', anyOf(kinds)), { ...asked, keys, id })
  return { ...page, rows: await viewsOf(db, page.rows, all) }
}

export async function find(db: Db, target: BulkTarget, batchId: string): Promise<BatchRow> {
  const row = await batchRows(db).where('staff_batch.id', '=', batchId).executeTakeFirstOrThrow()
  const filter = filterSchema.parse(row.filter)
  return viewOf(row, target, filter, await target.filterNames(db, filter ? [filter] : []))
}

/** The large ones that go on, and those of somebody's own that have just ended. */
export async function running(db: Db, by: Staff, kind: BulkTargetKind): Promise<Answer<typeof batchesAtWork>> {
  const all = allThings(db)
  if (!visibleKinds(by, all).includes(kind)) return { batches: [] }
  const isFresh = sql<boolean>`ended_at > now() - ${shownMinutes} * interval '1 minute'`
  const rows = await batchRows(db)
    .where('total', '>', maxWithoutReauth)
    .where('kind', '=', kind)
    .where((row) => row.or([row('state', 'in', ['doing', 'undoing']), row.and([row('staff_id', '=', by.staff.id), isFresh])]))
    .orderBy('staff_batch.id', 'desc')
    .limit(20)
    .execute()
  const visible = rows.filter(({ action }) => !all[kind].requirements(action)?.isOneGo)
  return { batches: await viewsOf(db, visible, all) }
}

export async function skippedFor(db: Db, by: Staff, batchId: string, language: Language): Promise<Output<typeof batchLeft>> {
  const batch = await db.selectFrom('staff_batch').select('kind').where('id', '=', batchId).executeTakeFirst()
  const all = allThings(db)
  if (!batch || !visibleKinds(by, all).includes(batch.kind)) throw Missing()
  return skipped(db, all[batch.kind], batchId, language)
}

/** The items that failed, and those that the undo skipped. */
export async function skipped(db: Db, target: BulkTarget, batchId: string, language: Language): Promise<Output<typeof batchLeft>> {
  const skippedBy = async (column: 'fault' | 'why_left') => {
    const rows = await db
      .selectFrom('staff_batch_item')
      .select(['item_id as id', `${column} as why`])
      .where('batch_id', '=', batchId)
      .where(column, 'is not', null)
      .orderBy('item_id')
      .limit(maxFaults)
      .execute()
    const names = await target.namesOf?.(
      db,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ id: row.id, name: names?.get(row.id) ?? null, why: say(language, row.why ?? '') }))
  }
  return { faults: await skippedBy('fault'), left: await skippedBy('why_left') }
}

/** The condition that an item is in a batch, for a query of ids; ids are unique by kind only. */
export function inBatch(kind: BulkTargetKind, batchId: string) {
  return sql`select item_id from staff_batch_item join staff_batch on staff_batch.id = batch_id
    where batch_id = ${batchId} and fault is null and staff_batch.kind = ${kind}`
}

function visibleKinds({ staff }: Staff, targets: BulkTargets): BulkTargetKind[] {
  return bulkTargetKinds.filter((kind) => staff.may(targets[kind].viewRight))
}

function batchRows(db: Db) {
  return db
    .selectFrom('staff_batch')
    .innerJoin('staff', 'staff.id', 'staff_batch.staff_id')
    .leftJoin('staff as undoer', 'undoer.id', 'staff_batch.undone_by')
    .select([
      'staff_batch.id',
      'staff.account',
      'kind',
      'action',
      'reason',
      'staff_batch.made_at as madeAt',
      'undone_at as undoneAt',
      'undoer.account as undoneBy',
    ])
    .select(['state', 'why_stopped as whyStopped', 'total', 'done', 'faults', 'undone', 'left_alone as left', isYoung.as('is_young')])
    .select([mayBeUndone.as('may_be_undone'), 'filter'])
}

type Row = Awaited<ReturnType<ReturnType<typeof batchRows>['execute']>>[number]

/** Grouped by kind, so that the names in filters are looked up once. */
async function viewsOf(db: Db, rows: readonly Row[], targets: BulkTargets): Promise<BatchRow[]> {
  const read = rows.map((row) => ({ row, filter: filterSchema.parse(row.filter) }))
  const views = new Map<string, BatchRow>()
  for (const [find, its] of Map.groupBy(read, ({ row }) => targets[row.kind].filterNames)) {
    const filters = its.map(({ filter }) => filter).filter((filter) => filter !== null)
    const called = await find(db, filters)
    for (const { row, filter } of its) views.set(row.id, viewOf(row, targets[row.kind], filter, called))
  }
  return rows.flatMap((row) => views.get(row.id) ?? [])
}

function viewOf({ is_young, may_be_undone, ...row }: Row, target: BulkTarget, filter: ListFilters | null, called: FilterNames): BatchRow {
  const isFinal = target.requirements(row.action)?.isFinal === true
  return {
    ...row,
    canUndo: !isFinal && may_be_undone && is_young && (row.done > 0 || row.state === 'doing'),
    isFinal,
    filter: filter && Object.entries(filter).map(([name, value]) => ({ name, value, called: called(filter, name) })),
  }
}
