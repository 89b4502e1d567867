import { sql } from 'kysely'
import type { Output, Taken } from '#base/contract.ts'
import { few } from '#base/list.ts'
import type { Db } from '#base/server/database.ts'
import { paged } from '#base/server/paged.ts'
import { say, type Language } from '#base/server/words.ts'
import type { batches, batchesAtWork, batchLeft } from '#content/contract.ts'
import { deedNames, mostFaults, undoDays, type BatchView } from '#content/views.ts'

const id = sql`staff_batch.id`
const keys = { made: { by: sql`staff_batch.made_at`, as: 'timestamptz' } } as const
export const isYoung = sql<boolean>`staff_batch.made_at > now() - ${undoDays} * interval '1 day'`
const shownMinutes = 5

export async function list(db: Db, asked: Taken<typeof batches>): Promise<Output<typeof batches>> {
  const { kind } = asked
  const query = all(db).$if(kind !== undefined, (some) => some.where('kind', '=', kind ?? 'topic'))
  const page = await paged(db, query, { ...asked, keys, id })
  return { ...page, rows: page.rows.map(viewOf) }
}

export async function one(db: Db, batchId: string): Promise<BatchView> {
  return viewOf(await all(db).where('staff_batch.id', '=', batchId).executeTakeFirstOrThrow())
}

/** The large ones that go on, and those of somebody's own that have just ended. */
export async function atWork(db: Db, staffId: string): Promise<Output<typeof batchesAtWork>> {
  const isFresh = sql<boolean>`ended_at > now() - ${shownMinutes} * interval '1 minute'`
  const rows = await all(db)
    .where('total', '>', few)
    .where('deed', 'in', deedNames)
    .where((row) => row.or([row('state', 'in', ['doing', 'undoing']), row.and([row('staff_id', '=', staffId), isFresh])]))
    .orderBy('staff_batch.id', 'desc')
    .limit(20)
    .execute()
  return { batches: rows.map(viewOf) }
}

/** What it could not do, and what undoing it left alone. */
export async function left(db: Db, batchId: string, language: Language): Promise<Output<typeof batchLeft>> {
  const of = async (column: 'fault' | 'why_left') => {
    const rows = await db
      .selectFrom('staff_batch_item')
      .select(['item_id as id', `${column} as why`])
      .where('batch_id', '=', batchId)
      .where(column, 'is not', null)
      .orderBy('item_id')
      .limit(mostFaults)
      .execute()
    return rows.map(({ id: item, why }) => ({ id: item, why: say(language, why ?? '') }))
  }
  return { faults: await of('fault'), left: await of('why_left') }
}

function all(db: Db) {
  return db
    .selectFrom('staff_batch')
    .innerJoin('staff', 'staff.id', 'staff_batch.staff_id')
    .leftJoin('staff as undoer', 'undoer.id', 'staff_batch.undone_by')
    .select(['staff_batch.id', 'staff.account', 'kind', 'deed', 'reason', 'staff_batch.made_at', 'undone_at', 'undoer.account as undoneBy'])
    .select(['state', 'why_stopped as whyStopped', 'total', 'done', 'faults', 'undone', 'left_alone as left', isYoung.as('is_young')])
}

type Row = Awaited<ReturnType<ReturnType<typeof all>['execute']>>[number]

function viewOf({ made_at, undone_at, is_young, ...row }: Row): BatchView {
  return {
    ...row,
    madeAt: made_at.toISOString(),
    undoneAt: undone_at?.toISOString() ?? null,
    canUndo: undone_at === null && is_young && (row.done > 0 || row.state === 'doing'),
  }
}
